package dev.keelson.audit;

/**
 * A back end with the policy that selects its events.
 *
 * @param policy asked once a request
 * @param sink takes the events of the requests that the policy names
 */
public record Route(AuditPolicy policy, EventSink sink) {}
