package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The approval of APIs in the groups of the Kubernetes community (source: apihelpers).
 *
 * @see <a href="https://github.com/kubernetes/enhancements/pull/1111">KEP-1111</a>
 */
final class ApprovalRules {

  private static final String ANNOTATION = "api-approved.kubernetes.io";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  private ApprovalRules() {}

  private enum State {
    INVALID,
    APPROVED,
    BYPASSED,
    MISSING
  }

  /**
   * Validates the annotation.
   *
   * @param old the stored definition, null for a new one; an unchanged state is accepted
   */
  static void validate(Value definition, @Nullable Value old) {
    if (!isProtected(definition.get("spec", "group").text())) {
      return;
    }
    Value annotation = definition.get("metadata", "annotations").key(ANNOTATION);
    State state = state(annotation.text());
    if (old != null && state(old.get("metadata", "annotations").key(ANNOTATION).text()) == state) {
      return;
    }
    String needed = "protected groups must have approval annotation " + GoQuote.quote(ANNOTATION);
    switch (state) {
      case INVALID ->
          annotation.invalid(
              needed + " with either a URL or a reason starting with \"unapproved\"" + SEE);
      case MISSING -> annotation.holding(Node.text("")).required(needed + SEE);
      case APPROVED, BYPASSED -> {}
    }
  }

  private static boolean isProtected(String group) {
    return group.equals("k8s.io")
        || group.endsWith(".k8s.io")
        || group.equals("kubernetes.io")
        || group.endsWith(".kubernetes.io");
  }

  private static State state(String annotation) {
    if (annotation.isEmpty()) {
      return State.MISSING;
    }
    if (annotation.startsWith("unapproved")) {
      return State.BYPASSED;
    }
    try {
      URI url = new URI(annotation);
      boolean complete = url.getScheme() != null && url.getRawAuthority() != null;
      return complete ? State.APPROVED : State.INVALID;
    } catch (URISyntaxException e) {
      return State.INVALID;
    }
  }
}
