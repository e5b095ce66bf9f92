// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Graphs: nodes with what they depend on. A launch runs them one after the other; for the analysis,
 * those that do not depend on each other overlap. */
#include "runtime.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of nodes --------------------------------------------------------------------- */

bool emulator_list_add(struct node_list *list, cudaGraphNode_t node) {
    for (size_t i = 0; i < list->count; i++)
        if (list->nodes[i] == node)
            return true;
    cudaGraphNode_t *grown = realloc(list->nodes, (list->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    list->nodes = grown;
    list->nodes[list->count++] = node;
    return true;
}

bool emulator_list_join(struct node_list *list, const struct node_list *others) {
    for (size_t i = 0; i < others->count; i++)
        if (!emulator_list_add(list, others->nodes[i]))
            return false;
    return true;
}

void emulator_list_clear(struct node_list *list) {
    free(list->nodes);
    *list = (struct node_list){0};
}

static void list_remove(struct node_list *list, cudaGraphNode_t node) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->nodes[i] != node)
            list->nodes[kept++] = list->nodes[i];
    list->count = kept;
}

/* ---- graphs and nodes ------------------------------------------------------------------- */

cudaGraph_t emulator_new_graph(void) { return calloc(1, sizeof(struct CUgraph_st)); }

cudaGraphNode_t emulator_new_node(cudaGraph_t graph, enum cudaGraphNodeType type) {
    cudaGraphNode_t node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->type = type;
    node->graph = graph;
    *(graph->first ? &graph->end->next : &graph->first) = node;
    graph->end = node;
    return node;
}

static void free_node(cudaGraphNode_t node) {
    emulator_list_clear(&node->dependencies);
    free((void *)(uintptr_t)node->launch.arguments);
    free(node->parameters);
    if (node->child)
        emulator_free_graph(node->child);
    free(node);
}

void emulator_free_graph(cudaGraph_t graph) {
    for (cudaGraphNode_t node = graph->first, next; node; node = next) {
        next = node->next;
        free_node(node);
    }
    free(graph);
}

bool emulator_set_launch(cudaGraphNode_t node, const struct emulator_launch *launch) {
    void *arguments = malloc(launch->argument_bytes + 1);
    if (!arguments)
        return false;
    if (launch->argument_bytes)
        memcpy(arguments, launch->arguments, launch->argument_bytes);
    free((void *)(uintptr_t)node->launch.arguments);
    node->launch = *launch;
    node->launch.arguments = arguments;
    return true;
}

/* What the node does becomes what the other does. */
static bool copy_work(cudaGraphNode_t to, cudaGraphNode_t from) {
    to->transfer = from->transfer;
    to->host = from->host;
    to->event = from->event;
    if (from->child) {
        cudaGraph_t child = emulator_copy_graph(from->child);
        if (!child)
            return false;
        if (to->child)
            emulator_free_graph(to->child);
        to->child = child;
    }
    return from->type != cudaGraphNodeTypeKernel || emulator_set_launch(to, &from->launch);
}

static cudaGraphNode_t copy_in(cudaGraph_t graph, cudaGraphNode_t original) {
    cudaGraphNode_t node = graph->first;
    while (node && node->original != original)
        node = node->next;
    return node;
}

cudaGraph_t emulator_copy_graph(cudaGraph_t graph) {
    cudaGraph_t copy = emulator_new_graph();
    bool done = copy != NULL;
    for (cudaGraphNode_t from = graph->first; done && from; from = from->next) {
        cudaGraphNode_t node = emulator_new_node(copy, from->type);
        done = node && copy_work(node, from);
        if (node)
            node->original = from;
    }
    for (cudaGraphNode_t from = graph->first; done && from; from = from->next)
        for (size_t i = 0; done && i < from->dependencies.count; i++)
            done = emulator_list_add(&copy_in(copy, from)->dependencies,
                                     copy_in(copy, from->dependencies.nodes[i]));
    if (!done && copy)
        emulator_free_graph(copy);
    return done ? copy : NULL;
}

/* ---- running one ------------------------------------------------------------------------ */

/* What overlaps lies on streams of its own, of which only the analysis knows. Where there are more
 * branches than these, some are taken to be ordered. */
enum { BRANCHES = 8 };
static struct branch {
    struct CUstream_st stream;
    struct CUevent_st event;
} branches[BRANCHES];

static void order_after(cudaStream_t stream, cudaStream_t before, cudaEvent_t event) {
    TELL(watch_event, event, before);
    TELL(watch_wait, stream, event);
}

static bool is_ready(cudaGraphNode_t node) {
    for (size_t i = 0; i < node->dependencies.count; i++)
        if (!node->dependencies.nodes[i]->done)
            return false;
    return !node->done;
}

/* The branch that ends with one of the node's dependencies, or another one. */
static int branch_of(cudaGraphNode_t node, cudaGraphNode_t ends[BRANCHES], int *next) {
    for (size_t i = 0; i < node->dependencies.count; i++)
        for (int branch = 0; branch < BRANCHES; branch++)
            if (ends[branch] && ends[branch] == node->dependencies.nodes[i])
                return branch;
    return (*next)++ % BRANCHES;
}

static void run_node(cudaGraphNode_t node, cudaStream_t stream) {
    if (node->disabled)
        return;
    switch (node->type) {
    case cudaGraphNodeTypeKernel:
        node->launch.stream = stream;
        emulator_run_now(&node->launch);
        break;
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
        emulator_transfer_now(&node->transfer, stream, false);
        break;
    case cudaGraphNodeTypeHost:
        emulator_call_host(stream, node->host.fn, node->host.userData);
        break;
    case cudaGraphNodeTypeGraph:
        emulator_run_graph(node->child, stream);
        break;
    case cudaGraphNodeTypeEventRecord:
        emulator_record_now(node->event, stream);
        break;
    case cudaGraphNodeTypeWaitEvent:
        TELL(watch_wait, stream, node->event);
        break;
    default:
        break;
    }
}

static bool is_chain(cudaGraph_t graph) {
    for (cudaGraphNode_t node = graph->first, before = NULL; node; before = node, node = node->next)
        if (node->dependencies.count != (before != NULL) ||
            (before && node->dependencies.nodes[0] != before))
            return false;
    return true;
}

static cudaGraphNode_t next_ready(cudaGraph_t graph) {
    cudaGraphNode_t node = graph->first;
    while (node && !is_ready(node))
        node = node->next;
    return node;
}

/* A graph in a node runs as a part of its branch, without branches of its own. */
static void run_branches(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphNode_t ends[BRANCHES] = {NULL};
    int next = 0;
    for (int i = 0; i < BRANCHES; i++) {
        TELL(watch_stream, &branches[i].stream, 0);
        order_after(&branches[i].stream, stream, &branches[i].event);
    }
    for (cudaGraphNode_t node; !emulator_broken && (node = next_ready(graph)); node->done = true) {
        node->branch = branch_of(node, ends, &next);
        struct branch *branch = &branches[node->branch];
        for (size_t i = 0; i < node->dependencies.count; i++) {
            int other = node->dependencies.nodes[i]->branch;
            if (other != node->branch)
                order_after(&branch->stream, &branches[other].stream, &branches[other].event);
        }
        ends[node->branch] = node;
        run_node(node, &branch->stream);
    }
    for (int i = 0; i < BRANCHES; i++)
        order_after(stream, &branches[i].stream, &branches[i].event);
}

void emulator_run_graph(cudaGraph_t graph, cudaStream_t stream) {
    static bool branching;
    for (cudaGraphNode_t node = graph->first; node; node = node->next)
        node->done = false;
    if (branching || is_chain(graph)) {
        for (cudaGraphNode_t node; !emulator_broken && (node = next_ready(graph));
             node->done = true)
            run_node(node, stream);
        return;
    }
    branching = true;
    run_branches(graph, stream);
    branching = false;
}

struct CUgraphExec_st {
    cudaGraph_t graph; /* a copy */
    unsigned long long flags;
};

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    HOST_ONLY();
    if (!executable)
        return emulator_result(cudaErrorInvalidValue);
    if (emulator_broken)
        return emulator_result(emulator_broken);
    if (emulator_is_capturing(stream))
        return emulator_result(emulator_capture_graph(stream, executable->graph));
    emulator_run_graph(executable->graph, stream);
    return emulator_result(cudaSuccess);
}

/* ---- graphs as a whole ------------------------------------------------------------------ */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
    HOST_ONLY();
    if (!graph || flags)
        return emulator_result(cudaErrorInvalidValue);
    *graph = emulator_new_graph();
    return emulator_result(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    HOST_ONLY();
    if (!graph)
        return emulator_result(cudaErrorInvalidValue);
    emulator_free_graph(graph);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph) {
    HOST_ONLY();
    if (!copy || !graph)
        return emulator_result(cudaErrorInvalidValue);
    *copy = emulator_copy_graph(graph);
    return emulator_result(*copy ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* Whether following dependencies never comes back: then every node becomes ready. */
static bool is_acyclic(cudaGraph_t graph) {
    cudaGraphNode_t node;
    for (node = graph->first; node; node = node->next)
        node->done = false;
    while ((node = next_ready(graph)))
        node->done = true;
    for (node = graph->first; node && node->done; node = node->next)
        ;
    return !node;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags) {
    HOST_ONLY();
    if (!executable || !graph)
        return emulator_result(cudaErrorInvalidValue);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return emulator_not_supported(__func__, "no kernel launches a graph here");
    if (!is_acyclic(graph))
        return emulator_result(cudaErrorInvalidValue);
    *executable = calloc(1, sizeof **executable);
    if (*executable && !((*executable)->graph = emulator_copy_graph(graph))) {
        free(*executable);
        *executable = NULL;
    }
    if (*executable)
        (*executable)->flags = flags;
    return emulator_result(*executable ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags) {
    HOST_ONLY();
    return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long *flags) {
    HOST_ONLY();
    *flags = executable->flags;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
    HOST_ONLY();
    (void)stream;
    return emulator_result(executable ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    HOST_ONLY();
    if (!executable)
        return emulator_result(cudaErrorInvalidValue);
    emulator_free_graph(executable->graph);
    free(executable);
    return emulator_result(cudaSuccess);
}

/* ---- what a graph is made of ------------------------------------------------------------ */

/* Gives out up to *count nodes, or with no place for them their number. What is left is NULL. */
static cudaError_t give(const struct node_list *found, cudaGraphNode_t *nodes, size_t *count) {
    if (!count)
        return cudaErrorInvalidValue;
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = i < found->count ? found->nodes[i] : NULL;
    if (!nodes || *count > found->count)
        *count = found->count;
    return cudaSuccess;
}

static cudaError_t give_matching(cudaGraph_t graph,
                                 bool (*matches)(cudaGraphNode_t, cudaGraphNode_t),
                                 cudaGraphNode_t about, cudaGraphNode_t *nodes, size_t *count) {
    struct node_list found = {0};
    for (cudaGraphNode_t node = graph->first; node; node = node->next)
        if (matches(node, about) && !emulator_list_add(&found, node))
            return cudaErrorMemoryAllocation;
    cudaError_t status = give(&found, nodes, count);
    emulator_list_clear(&found);
    return status;
}

static bool is_any(cudaGraphNode_t node, cudaGraphNode_t unused) {
    (void)node, (void)unused;
    return true;
}

static bool is_root(cudaGraphNode_t node, cudaGraphNode_t unused) {
    (void)unused;
    return !node->dependencies.count;
}

static bool depends_on(cudaGraphNode_t node, cudaGraphNode_t other) {
    for (size_t i = 0; i < node->dependencies.count; i++)
        if (node->dependencies.nodes[i] == other)
            return true;
    return false;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    HOST_ONLY();
    return emulator_result(graph ? give_matching(graph, is_any, NULL, nodes, count)
                                 : cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    HOST_ONLY();
    return emulator_result(graph ? give_matching(graph, is_root, NULL, nodes, count)
                                 : cudaErrorInvalidValue);
}

/* Every edge has the default data: all zeros. */
static void put_edges(cudaGraphEdgeData *edges, size_t count) {
    if (edges)
        memset(edges, 0, count * sizeof *edges);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         cudaGraphEdgeData *edges, size_t *count) {
    HOST_ONLY();
    cudaError_t status = node ? give(&node->dependencies, nodes, count) : cudaErrorInvalidValue;
    if (!status && nodes)
        put_edges(edges, *count);
    return emulator_result(status);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *edges, size_t *count) {
    HOST_ONLY();
    cudaError_t status =
        node ? give_matching(node->graph, depends_on, node, nodes, count) : cudaErrorInvalidValue;
    if (!status && nodes)
        put_edges(edges, *count);
    return emulator_result(status);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edges, size_t *count) {
    HOST_ONLY();
    if (!graph || !count || !from != !to)
        return emulator_result(cudaErrorInvalidValue);
    size_t found = 0;
    for (cudaGraphNode_t node = graph->first; node; node = node->next)
        for (size_t i = 0; i < node->dependencies.count; i++, found++)
            if (from && found < *count) {
                from[found] = node->dependencies.nodes[i];
                to[found] = node;
            }
    for (size_t i = found; from && i < *count; i++)
        from[i] = to[i] = NULL;
    if (!from || *count > found)
        *count = found;
    else
        put_edges(edges, *count);
    return emulator_result(cudaSuccess);
}

static bool is_in(cudaGraph_t graph, cudaGraphNode_t node) { return node && node->graph == graph; }

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count) {
    HOST_ONLY();
    for (size_t i = 0; i < count; i++) {
        if (!is_in(graph, from[i]) || !is_in(graph, to[i]) || from[i] == to[i] ||
            depends_on(to[i], from[i]))
            return emulator_result(cudaErrorInvalidValue);
        if (edges && edges[i].type)
            return emulator_not_supported(__func__, "edges of programmatic launches");
        if (!emulator_list_add(&to[i]->dependencies, from[i]))
            return emulator_result(cudaErrorMemoryAllocation);
    }
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count) {
    HOST_ONLY();
    (void)edges;
    for (size_t i = 0; i < count; i++) {
        if (!is_in(graph, to[i]) || !depends_on(to[i], from[i]))
            return emulator_result(cudaErrorInvalidValue);
        list_remove(&to[i]->dependencies, from[i]);
    }
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    HOST_ONLY();
    if (!node)
        return emulator_result(cudaErrorInvalidValue);
    cudaGraph_t graph = node->graph;
    cudaGraphNode_t *link = &graph->first, before = NULL;
    for (; *link != node; link = &(*link)->next)
        before = *link;
    *link = node->next;
    if (graph->end == node)
        graph->end = before;
    for (cudaGraphNode_t other = graph->first; other; other = other->next)
        list_remove(&other->dependencies, node);
    free_node(node);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
    HOST_ONLY();
    if (!node || !type)
        return emulator_result(cudaErrorInvalidValue);
    *type = node->type;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t copy) {
    HOST_ONLY();
    *found = copy ? copy_in(copy, original) : NULL;
    return emulator_result(*found ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- executables that change ------------------------------------------------------------ */

cudaGraphNode_t emulator_node_of(cudaGraphExec_t executable, cudaGraphNode_t node) {
    return executable ? copy_in(executable->graph, node) : NULL;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled) {
    HOST_ONLY();
    cudaGraphNode_t copy = emulator_node_of(executable, node);
    if (!copy || (copy->type != cudaGraphNodeTypeKernel && copy->type != cudaGraphNodeTypeMemcpy &&
                  copy->type != cudaGraphNodeTypeMemset))
        return emulator_result(cudaErrorInvalidValue);
    copy->disabled = !enabled;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int *enabled) {
    HOST_ONLY();
    cudaGraphNode_t copy = emulator_node_of(executable, node);
    if (!copy)
        return emulator_result(cudaErrorInvalidValue);
    *enabled = !copy->disabled;
    return emulator_result(cudaSuccess);
}

/* Nodes are compared in the order in which they were made, as are their dependencies. */
static enum cudaGraphExecUpdateResult compare(cudaGraph_t now, cudaGraph_t then,
                                              cudaGraphNode_t *where) {
    cudaGraphNode_t a = now->first, b = then->first;
    for (; a && b; a = a->next, b = b->next) {
        *where = b;
        if (a->type != b->type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (a->dependencies.count != b->dependencies.count)
            return cudaGraphExecUpdateErrorTopologyChanged;
        a->twin = b;
        for (size_t i = 0; i < a->dependencies.count; i++)
            if (a->dependencies.nodes[i]->twin != b->dependencies.nodes[i])
                return cudaGraphExecUpdateErrorTopologyChanged;
        if (a->type == cudaGraphNodeTypeGraph && !a->child != !b->child)
            return cudaGraphExecUpdateErrorParametersChanged;
    }
    *where = b;
    return a || b ? cudaGraphExecUpdateErrorTopologyChanged : cudaGraphExecUpdateSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
    HOST_ONLY();
    if (!executable || !graph || !info)
        return emulator_result(cudaErrorInvalidValue);
    /* A copy is compared, so that what does not fit leaves the executable as it was. */
    cudaGraph_t copy = emulator_copy_graph(executable->graph);
    if (!copy)
        return emulator_result(cudaErrorMemoryAllocation);
    *info = (cudaGraphExecUpdateResultInfo){0};
    info->result = compare(copy, graph, &info->errorNode);
    for (cudaGraphNode_t node = copy->first; node; node = node->next) {
        node->disabled = node->original->disabled;
        node->original = node->original->original;
        if (info->result == cudaGraphExecUpdateSuccess && !copy_work(node, node->twin))
            info->result = cudaGraphExecUpdateError;
    }
    bool done = info->result == cudaGraphExecUpdateSuccess;
    if (done) {
        emulator_free_graph(executable->graph);
        executable->graph = copy;
    } else {
        emulator_free_graph(copy);
    }
    return emulator_result(done ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}
