package dev.keelson.junit;

import java.util.Map;

/**
 * The request of an AdmissionReview.
 *
 * @param uid the uid of the review
 * @param operation {@code CREATE}, {@code UPDATE}, {@code DELETE} or {@code CONNECT}
 * @param namespace the namespace; empty if there is none
 * @param name the name of the object; empty if it will be generated
 * @param user who asks
 * @param dryRun whether nothing will be stored
 * @param object the new object as Map, List, String, Long, BigDecimal, Boolean; empty for DELETE
 * @param oldObject the object as it is; empty for CREATE
 * @param request the whole request
 */
public record AdmissionRequest(
    String uid,
    String operation,
    String namespace,
    String name,
    String user,
    boolean dryRun,
    Map<String, Object> object,
    Map<String, Object> oldObject,
    Map<String, Object> request) {

  static AdmissionRequest of(Map<String, Object> request) {
    return new AdmissionRequest(
        text(request, "uid"),
        text(request, "operation"),
        text(request, "namespace"),
        text(request, "name"),
        text(map(request, "userInfo"), "username"),
        Boolean.TRUE.equals(request.get("dryRun")),
        map(request, "object"),
        map(request, "oldObject"),
        request);
  }

  @SuppressWarnings("unchecked") // JSON: the keys of an object are strings
  static Map<String, Object> map(Map<String, Object> from, String key) {
    return from.get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  private static String text(Map<String, Object> from, String key) {
    return from.get(key) instanceof String text ? text : "";
  }
}
