package dev.keelson.controller.customresource;

import dev.keelson.value.GoQuote;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;

/**
 * The condition KubernetesAPIApprovalPolicyConformant: groups of the Kubernetes community need an
 * annotation that names their approval (KEP-1111; source: Kubernetes' apiapproval controller).
 */
final class ApprovalPolicy {

  static final String ANNOTATION = "api-approved.kubernetes.io";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  private ApprovalPolicy() {}

  /** The condition of a definition, or empty if its group is not protected. */
  static Optional<DefinitionCondition> condition(String group, Map<String, String> annotations) {
    if (!isProtected(group)) {
      return Optional.empty();
    }
    String annotation = annotations.getOrDefault(ANNOTATION, "");
    String demand = "protected groups must have approval annotation \"" + ANNOTATION + "\"";
    if (annotation.isEmpty()) {
      return Optional.of(of(DefinitionCondition.FALSE, "MissingAnnotation", demand + SEE));
    }
    if (annotation.startsWith("unapproved")) {
      String message = "not approved: " + GoQuote.quote(annotation);
      return Optional.of(of(DefinitionCondition.FALSE, "UnapprovedAnnotation", message));
    }
    if (isUrl(annotation)) {
      String message = "approved in " + annotation;
      return Optional.of(of(DefinitionCondition.TRUE, "ApprovedAnnotation", message));
    }
    String form = " with either a URL or a reason starting with \"unapproved\"";
    return Optional.of(of(DefinitionCondition.FALSE, "InvalidAnnotation", demand + form + SEE));
  }

  /** Whether a group belongs to the Kubernetes community. */
  static boolean isProtected(String group) {
    return group.equals("k8s.io")
        || group.endsWith(".k8s.io")
        || group.equals("kubernetes.io")
        || group.endsWith(".kubernetes.io");
  }

  private static boolean isUrl(String text) {
    try {
      URI uri = new URI(text);
      return uri.getScheme() != null && uri.getRawAuthority() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static DefinitionCondition of(String status, String reason, String message) {
    return new DefinitionCondition(DefinitionCondition.APPROVED, status, reason, message);
  }
}
