/* SPDX-License-Identifier: MIT */
/* dem.h - what a force model of DEM-Engine sees, as declarations: its prerequisites come behind, then the model inside
 * of `calculate`. */
#include <cmath>
struct float3 {
    float x, y, z;
};
struct float4 {
    float x, y, z, w;
};
namespace deme
{
typedef float oriQ_t;
}
float3                                 make_float3(float x, float y, float z);
float3                                 cross(float3 a, float3 b);
float                                  dot(float3 a, float3 b);
float                                  length(float3 a);
float3                                 operator+(float3 a, float3 b);
float3                                 operator-(float3 a, float3 b);
float3                                 operator*(float a, float3 b);
float3                                 operator/(float3 a, float b);
template <typename T, typename Q> void applyOriQToVector3(T &x, T &y, T &z, Q w, Q u, Q v, Q t);
