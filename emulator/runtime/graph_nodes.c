/* The nodes of graphs that a program makes itself, and what they do. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a node does ------------------------------------------------------------------- */

static cudaError_t set_kernel(cudaGraphNode_t node, const struct cudaKernelNodeParams *p) {
    if (!p)
        return cudaErrorInvalidValue;
    if (p->extra)
        return emulator_not_supported("cudaGraphAddKernelNode", "arguments in `extra`");
    struct emulator_launch launch = {
        .grid = p->gridDim, .block = p->blockDim, .shared_bytes = p->sharedMemBytes};
    cudaError_t status = emulator_complete(&launch, p->func, p->kernelParams);
    if (!status)
        status = emulator_admit(&launch);
    if (!status)
        emulator_set_launch(node, &launch);
    free((void *)(uintptr_t)launch.arguments);
    return status;
}

static cudaError_t set_transfer(cudaGraphNode_t node, const struct transfer *t,
                                enum cudaMemcpyKind kind) {
    cudaError_t status = emulator_check_transfer(t, kind);
    if (!status)
        node->transfer = *t;
    return status;
}

static cudaError_t set_copy(cudaGraphNode_t node, const struct cudaMemcpy3DParms *copy) {
    struct transfer t;
    cudaError_t status = emulator_transfer_of(copy, &t);
    return status ? status : set_transfer(node, &t, copy->kind);
}

static cudaError_t set_row(cudaGraphNode_t node, void *to, const void *from, size_t size,
                           enum cudaMemcpyKind kind) {
    struct transfer t = emulator_row(to, from, size);
    return set_transfer(node, &t, kind);
}

static cudaError_t set_memset(cudaGraphNode_t node, const struct cudaMemsetParams *p) {
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return cudaErrorInvalidValue;
    struct transfer t = {
        .to = {p->dst, p->pitch, p->height},
        .width = p->width * p->elementSize,
        .height = p->height,
        .depth = 1,
        .value = p->value,
        .value_bytes = p->elementSize,
    };
    if (p->height <= 1 || !t.to.pitch)
        t.to.pitch = t.width; /* then the pitch does not count */
    return set_transfer(node, &t, cudaMemcpyDeviceToDevice);
}

static cudaError_t set_host(cudaGraphNode_t node, const struct cudaHostNodeParams *p) {
    if (!p || !p->fn)
        return cudaErrorInvalidValue;
    node->host = *p;
    return cudaSuccess;
}

static cudaError_t set_child(cudaGraphNode_t node, cudaGraph_t child) {
    node->child = child && child != node->graph ? emulator_copy_graph(child) : NULL;
    return node->child ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t set_event(cudaGraphNode_t node, cudaEvent_t event) {
    node->event = event;
    return event ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- new nodes -------------------------------------------------------------------------- */

/* NULL: the arguments are wrong. */
static cudaGraphNode_t new_node(cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                size_t count, enum cudaGraphNodeType type) {
    for (size_t i = 0; i < count; i++)
        if (!dependencies || !dependencies[i] || dependencies[i]->graph != graph)
            return NULL;
    cudaGraphNode_t node = graph ? emulator_new_node(graph, type) : NULL;
    for (size_t i = 0; node && i < count; i++)
        emulator_list_add(&node->dependencies, dependencies[i]);
    return node;
}

/* Gives the node to the caller, or takes it back. */
static cudaError_t finish(cudaGraphNode_t made, cudaError_t status, cudaGraphNode_t *node) {
    if (!made || !node)
        status = cudaErrorInvalidValue;
    if (made && status)
        cudaGraphDestroyNode(made);
    else if (made)
        *node = made;
    return emulator_result(status);
}

static cudaError_t if_of(cudaGraphNode_t node, enum cudaGraphNodeType type) {
    return node && node->type == type ? cudaSuccess : cudaErrorInvalidValue;
}

#define EMULATOR_NODE(kind, suffix, type, set, ...)                                                \
    cudaError_t cudaGraphAdd##kind##Node##suffix(cudaGraphNode_t *node, cudaGraph_t graph,         \
                                                 const cudaGraphNode_t *dependencies,              \
                                                 size_t count __VA_OPT__(, ) __VA_ARGS__) {        \
        HOST_ONLY();                                                                               \
        cudaGraphNode_t made = new_node(graph, dependencies, count, cudaGraphNodeType##type);      \
        return finish(made, made ? (set) : cudaErrorInvalidValue, node);                           \
    }
/* made: the node of a graph, or an executable's copy of it. */
#define EMULATOR_CHANGE(name, of, type, set, ...)                                                  \
    cudaError_t name(__VA_ARGS__) {                                                                \
        HOST_ONLY();                                                                               \
        cudaGraphNode_t made = of;                                                                 \
        cudaError_t status = if_of(made, cudaGraphNodeType##type);                                 \
        return emulator_result(status ? status : (set));                                           \
    }
#define EMULATOR_CHANGING_NODE(kind, suffix, type, set, ...)                                       \
    EMULATOR_NODE(kind, suffix, type, set, __VA_ARGS__)                                            \
    EMULATOR_CHANGE(cudaGraph##kind##NodeSetParams##suffix, node, type, set, cudaGraphNode_t node, \
                    __VA_ARGS__)                                                                   \
    EMULATOR_CHANGE(cudaGraphExec##kind##NodeSetParams##suffix,                                    \
                    emulator_node_of(executable, node), type, set, cudaGraphExec_t executable,     \
                    cudaGraphNode_t node, __VA_ARGS__)
#include "../include/graph_nodes.def"
