/* Work, and graphs of it: which piece depends on which. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists of nodes --------------------------------------------------------------------- */

void emulator_list_add(struct node_list *list, cudaGraphNode_t node) {
    for (size_t i = 0; i < list->count; i++)
        if (list->nodes[i] == node)
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

/* ---- graphs and nodes ------------------------------------------------------------------- */

cudaGraph_t emulator_keep_graph(cudaGraph_t graph) {
    graph->users++;
    return graph;
}

cudaGraph_t emulator_new_graph(void) {
    return emulator_keep_graph(emulator_need(calloc(1, sizeof(struct CUgraph_st))));
}

void emulator_free_graph(cudaGraph_t graph) {
    if (--graph->users)
        return;
    for (cudaGraphNode_t node = graph->first, next; node; node = next) {
        next = node->next;
        emulator_list_clear(&node->dependencies);
        free((void *)(uintptr_t)node->launch.arguments);
        if (node->child)
            emulator_free_graph(node->child);
        free(node);
    }
    free(graph);
}

cudaGraphNode_t emulator_new_node(cudaGraph_t graph, const struct CUgraphNode_st *work) {
    cudaGraphNode_t node = emulator_need(malloc(sizeof *node));
    *node = *work;
    if (work->child)
        emulator_keep_graph(work->child);
    if (work->launch.arguments) {
        void *arguments = emulator_need(malloc(work->launch.argument_bytes + 1));
        memcpy(arguments, work->launch.arguments, work->launch.argument_bytes);
        node->launch.arguments = arguments;
    }
    *(graph->first ? &graph->end->next : &graph->first) = node;
    graph->end = node;
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
