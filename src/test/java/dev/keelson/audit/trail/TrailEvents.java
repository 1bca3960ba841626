package dev.keelson.audit.trail;

import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.EventFields;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ObjectReference;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.ResponseStatus;
import dev.keelson.audit.event.Stage;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Events of the trail for tests, each made from the one before by one change. */
public record TrailEvents(
    String auditId,
    Instant time,
    UserInfo user,
    String verb,
    ObjectReference object,
    ResponseStatus status,
    String uri,
    List<String> sources,
    String agent,
    String response) {

  public static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");

  /** A get of the ConfigMap {@code settings} in {@code shop} by alice, at noon. */
  public static TrailEvents get(String auditId) {
    return new TrailEvents(
        auditId,
        NOON,
        new UserInfo("alice", "", List.of("devs", "system:authenticated"), Map.of()),
        "get",
        new ObjectReference("configmaps", "shop", "settings", "u-1", "", "v1", "", ""),
        ResponseStatus.of(200),
        "/api/v1/namespaces/shop/configmaps/settings",
        List.of("10.0.0.1", "192.0.2.7"),
        "kubectl/v1.36.0 (linux/amd64)",
        "");
  }

  public TrailEvents at(Instant other) {
    return new TrailEvents(
        auditId, other, user, verb, object, status, uri, sources, agent, response);
  }

  public TrailEvents by(String name, String... groups) {
    UserInfo other = new UserInfo(name, "", List.of(groups), Map.of());
    return new TrailEvents(
        auditId, time, other, verb, object, status, uri, sources, agent, response);
  }

  public TrailEvents verb(String other) {
    return new TrailEvents(
        auditId, time, user, other, object, status, uri, sources, agent, response);
  }

  public TrailEvents object(String group, String resource, String namespace, String name) {
    ObjectReference other = new ObjectReference(resource, namespace, name, "", group, "v1", "", "");
    return new TrailEvents(auditId, time, user, verb, other, status, uri, sources, agent, response);
  }

  public TrailEvents answered(int code, String message) {
    ResponseStatus other = ResponseStatus.of(code, "Failure", message, "");
    return new TrailEvents(auditId, time, user, verb, object, other, uri, sources, agent, response);
  }

  public TrailEvents uri(String other) {
    return new TrailEvents(
        auditId, time, user, verb, object, status, other, sources, agent, response);
  }

  public TrailEvents agent(String other) {
    return new TrailEvents(
        auditId, time, user, verb, object, status, uri, sources, other, response);
  }

  /** The event is of level RequestResponse, with a response object. */
  public TrailEvents response(String json) {
    return new TrailEvents(auditId, time, user, verb, object, status, uri, sources, agent, json);
  }

  public Event event() {
    RequestFacts facts = new RequestFacts(auditId, uri, verb, user, sources, agent, time);
    return new Event(
        new EventFields(
            response.isEmpty() ? Level.METADATA : Level.REQUEST_RESPONSE,
            Stage.RESPONSE_COMPLETE,
            facts,
            null,
            object,
            status,
            null,
            response.isEmpty() ? null : response.getBytes(StandardCharsets.UTF_8),
            time,
            Map.of("authorization.k8s.io/decision", status.code() == 403 ? "forbid" : "allow")));
  }

  public TrailEvent row() {
    return TrailEvent.of(event());
  }
}
