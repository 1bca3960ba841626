package dev.keelson.audit.event;

import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Events as JSON, with the fields in the order and the strings in the escapes of kube-apiserver's
 * encoder. Request and response objects are embedded as the bytes that they are.
 */
final class EventJson {

  static final String HEAD = "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",";

  /** What an event without objects takes mostly; bytes. */
  private static final int EXPECTED = 1024;

  private EventJson() {}

  static byte[] of(EventFields event) {
    byte[] request = event.requestObject();
    byte[] response = event.responseObject();
    JsonBuffer json =
        new JsonBuffer(
            EXPECTED
                + (request == null ? 0 : request.length)
                + (response == null ? 0 : response.length));
    RequestFacts facts = event.request();
    json.raw(HEAD).raw("\"level\":\"").raw(event.level().word());
    json.raw("\",\"auditID\":").string(facts.auditId());
    json.raw(",\"stage\":\"").raw(event.stage().word());
    json.raw("\",\"requestURI\":").string(facts.requestUri());
    json.raw(",\"verb\":").string(facts.verb()).raw(",\"user\":");
    UserInfo user = facts.user();
    if (user == null) {
      json.raw("{}");
    } else {
      user(json, user);
    }
    impersonation(json, event);
    if (!facts.sourceIps().isEmpty()) {
      json.raw(",\"sourceIPs\":");
      strings(json, facts.sourceIps());
    }
    field(json, ",\"userAgent\":", facts.userAgent());
    ObjectReference reference = event.objectRef();
    if (reference != null) {
      json.raw(",\"objectRef\":");
      reference(json, reference);
    }
    ResponseStatus status = event.responseStatus();
    if (status != null) {
      json.raw(",\"responseStatus\":").raw(status.json());
    }
    if (request != null) {
      json.raw(",\"requestObject\":").raw(request);
    }
    if (response != null) {
      json.raw(",\"responseObject\":").raw(response);
    }
    json.raw(",\"requestReceivedTimestamp\":").microTime(facts.received());
    json.raw(",\"stageTimestamp\":").microTime(event.stageTime());
    annotations(json, event.annotations());
    return json.raw('}').toBytes();
  }

  private static void user(JsonBuffer json, UserInfo user) {
    int start = json.size();
    field(json, ",\"username\":", user.name());
    field(json, ",\"uid\":", user.uid());
    if (!user.groups().isEmpty()) {
      json.raw(",\"groups\":");
      strings(json, user.groups());
    }
    if (!user.extra().isEmpty()) {
      json.raw(",\"extra\":{");
      boolean first = true;
      for (Map.Entry<String, List<String>> entry : new TreeMap<>(user.extra()).entrySet()) {
        json.raw(first ? "" : ",").string(entry.getKey()).raw(':');
        strings(json, entry.getValue());
        first = false;
      }
      json.raw('}');
    }
    close(json, start);
  }

  private static void reference(JsonBuffer json, ObjectReference reference) {
    int start = json.size();
    field(json, ",\"resource\":", reference.resource());
    field(json, ",\"namespace\":", reference.namespace());
    field(json, ",\"name\":", reference.name());
    field(json, ",\"uid\":", reference.uid());
    field(json, ",\"apiGroup\":", reference.apiGroup());
    field(json, ",\"apiVersion\":", reference.apiVersion());
    field(json, ",\"resourceVersion\":", reference.resourceVersion());
    field(json, ",\"subresource\":", reference.subresource());
    close(json, start);
  }

  /** Makes the comma before the first field the opening brace, and closes the object. */
  private static void close(JsonBuffer json, int start) {
    if (json.size() == start) {
      json.raw('{');
    } else {
      json.replace(start, '{');
    }
    json.raw('}');
  }

  private static void impersonation(JsonBuffer json, EventFields event) {
    Impersonated impersonation = event.impersonation();
    if (impersonation != null) {
      json.raw(",\"impersonatedUser\":");
      user(json, impersonation.user());
      if (!impersonation.constraint().isEmpty()) {
        json.raw(",\"authenticationMetadata\":{\"impersonationConstraint\":")
            .string(impersonation.constraint())
            .raw('}');
      }
    }
  }

  private static void annotations(JsonBuffer json, Map<String, String> annotations) {
    if (annotations.isEmpty()) {
      return;
    }
    json.raw(",\"annotations\":{");
    boolean first = true;
    for (Map.Entry<String, String> entry : new TreeMap<>(annotations).entrySet()) {
      json.raw(first ? "" : ",").string(entry.getKey()).raw(':').string(entry.getValue());
      first = false;
    }
    json.raw('}');
  }

  private static void field(JsonBuffer json, String key, String value) {
    if (!value.isEmpty()) {
      json.raw(key).string(value);
    }
  }

  private static void strings(JsonBuffer json, List<String> values) {
    json.raw('[');
    for (int i = 0; i < values.size(); i++) {
      json.raw(i == 0 ? "" : ",").string(values.get(i));
    }
    json.raw(']');
  }
}
