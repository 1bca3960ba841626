package dev.keelson.flow.queue;

/**
 * Whose a request is.
 *
 * @param schema the name of its FlowSchema
 * @param distinguisher what tells it from other flows of the schema
 * @param hash of both; used only in levels with queues
 * @param details the request, for the debug endpoints
 */
public record Flow(String schema, String distinguisher, long hash, Object details) {}
