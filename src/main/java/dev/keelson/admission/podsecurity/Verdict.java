package dev.keelson.admission.podsecurity;

import dev.keelson.api.ApiException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a request.
 *
 * @param refusal the error, or null if the request is allowed
 * @param warnings warnings for the client
 * @param annotations audit annotations, without their prefix
 */
record Verdict(
    @Nullable ApiException refusal, List<String> warnings, Map<String, String> annotations) {

  static final Verdict ALLOWED = new Verdict(null, List.of(), Map.of());
  static final Verdict PRIVILEGED = annotated("enforce-policy", "privileged:latest");
  static final Verdict EXEMPT_USER = annotated("exempt", "user");
  static final Verdict EXEMPT_NAMESPACE = annotated("exempt", "namespace");
  static final Verdict EXEMPT_RUNTIME_CLASS = annotated("exempt", "runtimeClass");

  Verdict {
    warnings = List.copyOf(warnings);
    annotations = Map.copyOf(annotations);
  }

  static Verdict annotated(String key, String value) {
    return new Verdict(null, List.of(), Map.of(key, value));
  }

  static Verdict refused(ApiException refusal) {
    return new Verdict(refusal, List.of(), Map.of());
  }

  static Verdict warning(List<String> warnings) {
    return new Verdict(null, warnings, Map.of());
  }
}
