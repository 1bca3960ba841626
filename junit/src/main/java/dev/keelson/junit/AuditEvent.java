package dev.keelson.junit;

import java.util.List;
import java.util.Map;

/**
 * A request that was answered, from the audit log.
 *
 * @param verb the verb, as in RBAC; {@code patch} for server-side apply as well
 * @param user the user
 * @param userAgent the client; may be empty
 * @param group the API group; empty for the core group and for requests for no resource
 * @param resource the plural, as in RBAC: {@code pods/status} for a subresource; empty if there is
 *     none
 * @param namespace the namespace; empty if there is none
 * @param name the name of the object; empty if the request names none
 * @param uri the path and query
 * @param code the HTTP status of the answer
 * @param body the object or patch that was sent, as Map, List, String, Long, BigDecimal or Boolean;
 *     null if there was none
 */
public record AuditEvent(
    String verb,
    String user,
    String userAgent,
    String group,
    String resource,
    String namespace,
    String name,
    String uri,
    int code,
    Object body) {

  /** Whether the request was answered 2xx. */
  public boolean succeeded() {
    return code >= 200 && code < 300;
  }

  static AuditEvent of(Map<?, ?> event) {
    Map<?, ?> ref = map(event, "objectRef");
    String subresource = text(ref, "subresource");
    String resource = text(ref, "resource");
    Object code = map(event, "responseStatus").get("code");
    return new AuditEvent(
        text(event, "verb"),
        text(
            event.get("impersonatedUser") instanceof Map<?, ?> other ? other : map(event, "user"),
            "username"),
        text(event, "userAgent"),
        text(ref, "apiGroup"),
        subresource.isEmpty() ? resource : resource + "/" + subresource,
        text(ref, "namespace"),
        text(ref, "name"),
        text(event, "requestURI"),
        code instanceof Number number ? number.intValue() : 0,
        event.get("requestObject"));
  }

  private static Map<?, ?> map(Map<?, ?> from, String key) {
    return from.get(key) instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String text(Map<?, ?> from, String key) {
    return from.get(key) instanceof String text ? text : "";
  }

  @Override
  public String toString() {
    List<String> words =
        List.of(
            String.valueOf(code),
            user,
            verb,
            group.isEmpty() ? resource : resource + "." + group,
            namespace.isEmpty() ? name : namespace + "/" + name,
            uri);
    return String.join(" ", words);
  }
}
