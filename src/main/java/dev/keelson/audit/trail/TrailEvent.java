package dev.keelson.audit.trail;

import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.EventFields;
import dev.keelson.audit.event.Impersonated;
import dev.keelson.audit.event.JsonDocument;
import dev.keelson.audit.event.ObjectReference;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.ResponseStatus;
import dev.keelson.request.UserInfo;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An event as the trail stores it.
 *
 * @param id see {@link TrailId}
 * @param time when the request reached the stage
 * @param columns the values of all {@link TrailField}s, in their order; lists have a newline
 *     before, between and behind their values
 * @param text the path and the message of the response, in lower case, for the full-text search
 * @param json the event of audit.k8s.io/v1 in UTF-8; not to be changed
 */
public record TrailEvent(String id, Instant time, List<String> columns, String text, byte[] json) {

  private static final List<TrailField> FIELDS = List.of(TrailField.values());

  private static final String DECISION = "authorization.k8s.io/decision";

  public TrailEvent {
    columns = List.copyOf(columns);
    if (columns.size() != TrailField.values().length) {
      throw new IllegalArgumentException("an event has %d columns".formatted(columns.size()));
    }
  }

  /** The row of an event. */
  public static TrailEvent of(Event event) {
    EventFields fields = event.fields();
    RequestFacts request = fields.request();
    UserInfo user = request.user();
    Impersonated impersonated = fields.impersonation();
    ObjectReference object = fields.objectRef();
    ResponseStatus status = fields.responseStatus();
    Map<TrailField, String> columns = new EnumMap<>(TrailField.class);
    set(columns, TrailField.AUDIT_ID, request.auditId());
    set(columns, TrailField.STAGE, fields.stage().word());
    set(columns, TrailField.LEVEL, fields.level().word());
    set(columns, TrailField.VERB, request.verb());
    set(columns, TrailField.USER_AGENT, request.userAgent());
    columns.put(TrailField.SOURCE_IP, list(request.sourceIps()));
    if (user != null) {
      set(columns, TrailField.USER, user.name());
      columns.put(TrailField.GROUP, list(user.groups()));
    }
    if (impersonated != null) {
      set(columns, TrailField.IMPERSONATED_USER, impersonated.user().name());
    }
    if (object != null) {
      set(columns, TrailField.API_GROUP, object.apiGroup());
      set(columns, TrailField.RESOURCE, object.resource());
      set(columns, TrailField.SUBRESOURCE, object.subresource());
      set(columns, TrailField.NAMESPACE, object.namespace());
      set(columns, TrailField.NAME, object.name());
      set(columns, TrailField.UID, object.uid());
    }
    String message = "";
    if (status != null) {
      set(columns, TrailField.CODE, Integer.toString(status.code()));
      message = JsonDocument.text(status.json(), "message");
    }
    set(columns, TrailField.DECISION, fields.annotations().getOrDefault(DECISION, ""));
    byte[] json = event.json();
    return new TrailEvent(
        TrailId.of(fields.stageTime(), json),
        fields.stageTime(),
        FIELDS.stream().map(field -> columns.getOrDefault(field, "")).toList(),
        storable(request.requestUri() + '\n' + message).toLowerCase(Locale.ROOT),
        json);
  }

  /** The value of a column. */
  public String get(TrailField field) {
    return columns.get(FIELDS.indexOf(field));
  }

  private static void set(Map<TrailField, String> columns, TrailField field, String value) {
    columns.put(field, storable(value));
  }

  private static String list(List<String> values) {
    if (values.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("\n");
    for (String value : values) {
      text.append(element(value)).append('\n');
    }
    return text.toString();
  }

  /** A value as an element of a list, in which newlines separate the elements. */
  static String element(String value) {
    return storable(value).replace('\n', ' ');
  }

  /** A text without NUL, which PostgreSQL cannot store. */
  static String storable(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }
}
