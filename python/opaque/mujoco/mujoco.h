/* SPDX-License-Identifier: MIT */
/* mujoco.h - declares what pcm/mujoco.h needs of MuJoCo's header, for code that does not look inside models and data.
 * The extension serves every release; the host that it loads is compiled for one release. */
#ifndef PCM_PYTHON_OPAQUE_MUJOCO_H
#define PCM_PYTHON_OPAQUE_MUJOCO_H

typedef struct mjModel_   mjModel;
typedef struct mjData_    mjData;
typedef struct mjvOption_ mjvOption;
typedef struct mjvScene_  mjvScene;

#endif
