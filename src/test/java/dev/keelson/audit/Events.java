package dev.keelson.audit;

import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.EventFields;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.Stage;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events for tests. */
public final class Events {

  public static final Instant TIME = Instant.parse("2026-03-04T05:06:07.080900Z");

  private Events() {}

  /** An event at level Metadata, known by its audit id. */
  public static Event named(String auditId) {
    return new Event(fields(auditId, Level.METADATA, null));
  }

  /** An event at level RequestResponse with a response object of a string of some length. */
  public static Event withResponse(String auditId, int length) {
    byte[] response = ('"' + "x".repeat(length) + '"').getBytes(StandardCharsets.UTF_8);
    return new Event(fields(auditId, Level.REQUEST_RESPONSE, response));
  }

  public static RequestFacts facts(String auditId) {
    return new RequestFacts(
        auditId,
        "/api/v1/nodes",
        "list",
        new UserInfo("alice", "", List.of("devs"), Map.of()),
        List.of("10.0.0.1"),
        "kubectl/v1.36",
        TIME);
  }

  private static EventFields fields(String auditId, Level level, byte @Nullable [] response) {
    return new EventFields(
        level,
        Stage.RESPONSE_COMPLETE,
        facts(auditId),
        null,
        null,
        null,
        null,
        response,
        TIME,
        Map.of());
  }
}
