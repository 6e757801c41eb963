/* The two backends that all parts of the engine have.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BACKEND_H
#define DPDSOP_BACKEND_H

/* AUTO: cuda where a usable GPU is, else host */
typedef enum { DS_BACKEND_AUTO = 0, DS_BACKEND_HOST, DS_BACKEND_CUDA } ds_backend;

#endif
