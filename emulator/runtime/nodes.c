/* Work, and graphs of it: which piece depends on which. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists of nodes --------------------------------------------------------------------- */

bool emulator_list_has(const struct node_list *list, cudaGraphNode_t node) {
    for (size_t i = 0; i < list->count; i++)
        if (list->nodes[i] == node)
            return true;
    return false;
}

void emulator_list_add(struct node_list *list, cudaGraphNode_t node) {
    if (emulator_list_has(list, node))
        return;
    list->nodes = emulator_need(realloc(list->nodes, (list->count + 1) * sizeof *list->nodes));
    list->nodes[list->count++] = node;
}

void emulator_list_join(struct node_list *list, const struct node_list *others) {
    for (size_t i = 0; i < others->count; i++)
        emulator_list_add(list, others->nodes[i]);
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

cudaGraph_t emulator_new_graph(void) { return emulator_need(calloc(1, sizeof(struct CUgraph_st))); }

cudaGraphNode_t emulator_new_node(cudaGraph_t graph, enum cudaGraphNodeType type) {
    cudaGraphNode_t node = emulator_need(calloc(1, sizeof *node));
    node->type = type;
    node->graph = graph;
    *(graph->first ? &graph->end->next : &graph->first) = node;
    graph->end = node;
    return node;
}

static void free_node(cudaGraphNode_t node) {
    emulator_list_clear(&node->dependencies);
    free((void *)(uintptr_t)node->launch.arguments);
    if (node->child)
        emulator_free_graph(node->child);
    free(node);
}

void emulator_drop_node(cudaGraphNode_t node) {
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
}

void emulator_free_graph(cudaGraph_t graph) {
    for (cudaGraphNode_t node = graph->first, next; node; node = next) {
        next = node->next;
        free_node(node);
    }
    free(graph);
}

void emulator_set_launch(cudaGraphNode_t node, const struct emulator_launch *launch) {
    void *arguments = emulator_need(malloc(launch->argument_bytes + 1));
    if (launch->argument_bytes)
        memcpy(arguments, launch->arguments, launch->argument_bytes);
    free((void *)(uintptr_t)node->launch.arguments);
    node->launch = *launch;
    node->launch.arguments = arguments;
}

void emulator_copy_work(cudaGraphNode_t to, const struct CUgraphNode_st *from) {
    to->transfer = from->transfer;
    to->host = from->host;
    to->event = from->event;
    if (from->child) {
        if (to->child)
            emulator_free_graph(to->child);
        to->child = emulator_copy_graph(from->child);
    }
    if (from->type == cudaGraphNodeTypeKernel)
        emulator_set_launch(to, &from->launch);
}

cudaGraphNode_t emulator_copy_in(cudaGraph_t graph, cudaGraphNode_t original) {
    cudaGraphNode_t node = graph->first;
    while (node && node->original != original)
        node = node->next;
    return node;
}

cudaGraph_t emulator_copy_graph(cudaGraph_t graph) {
    cudaGraph_t copy = emulator_new_graph();
    for (cudaGraphNode_t from = graph->first; from; from = from->next) {
        cudaGraphNode_t node = emulator_new_node(copy, from->type);
        emulator_copy_work(node, from);
        node->original = from;
    }
    for (cudaGraphNode_t from = graph->first; from; from = from->next)
        for (size_t i = 0; i < from->dependencies.count; i++)
            emulator_list_add(&emulator_copy_in(copy, from)->dependencies,
                              emulator_copy_in(copy, from->dependencies.nodes[i]));
    return copy;
}

static bool is_ready(cudaGraphNode_t node) {
    for (size_t i = 0; i < node->dependencies.count; i++)
        if (!node->dependencies.nodes[i]->done)
            return false;
    return !node->done;
}

cudaGraphNode_t emulator_next_ready(cudaGraph_t graph) {
    cudaGraphNode_t node = graph->first;
    while (node && !is_ready(node))
        node = node->next;
    return node;
}

/* ---- streams that are captured ------------------------------------------------------------- */

bool emulator_is_own_stream(cudaStream_t stream) {
    return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

bool emulator_is_capturing(cudaStream_t stream) {
    return emulator_is_own_stream(stream) && stream->capture.graph;
}

void emulator_drop_capture(struct capture *capture) {
    emulator_list_clear(&capture->tips);
    *capture = (struct capture){0};
}
