package dev.keelson.junit;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** The answer of an {@link AdmissionHandler}. */
public final class AdmissionResponse {

  private final Map<String, Object> response;

  private AdmissionResponse(Map<String, Object> response) {
    this.response = response;
  }

  /** The request is allowed as it is. */
  public static AdmissionResponse allow() {
    return new AdmissionResponse(Map.of("allowed", true));
  }

  /** The request is refused with 403. */
  public static AdmissionResponse deny(String message) {
    return deny(403, message);
  }

  /**
   * The request is refused.
   *
   * @param code the HTTP status, at least 400
   */
  public static AdmissionResponse deny(int code, String message) {
    return new AdmissionResponse(
        Map.of("allowed", false, "status", Map.of("code", code, "message", message)));
  }

  /**
   * The request is allowed with changes; of mutating webhooks only.
   *
   * @param jsonPatch a JSON patch (RFC 6902): an array of operations
   */
  public static AdmissionResponse patch(String jsonPatch) {
    return new AdmissionResponse(
        Map.of(
            "allowed",
            true,
            "patchType",
            "JSONPatch",
            "patch",
            Base64.getEncoder().encodeToString(jsonPatch.getBytes(StandardCharsets.UTF_8))));
  }

  /** The AdmissionReview to answer with. */
  Map<String, Object> review(String uid) {
    Map<String, Object> full = new LinkedHashMap<>(response);
    full.put("uid", uid);
    return Map.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview", "response", full);
  }
}
