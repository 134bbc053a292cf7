/* SPDX-License-Identifier: MIT */
/* mujoco.h - what pcm/mujoco.h needs of MuJoCo's header where nothing looks inside models and data: the extension
 * serves every release, and the host that it loads is the one that is compiled for a release. */
#ifndef PCM_PYTHON_OPAQUE_MUJOCO_H
#define PCM_PYTHON_OPAQUE_MUJOCO_H

typedef struct mjModel_   mjModel;
typedef struct mjData_    mjData;
typedef struct mjvOption_ mjvOption;
typedef struct mjvScene_  mjvScene;

#endif
