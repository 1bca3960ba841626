package dev.keelson.controller.customresource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApprovalPolicyTest {

  private static final String DEMAND =
      "protected groups must have approval annotation \"api-approved.kubernetes.io\"";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  @ParameterizedTest
  @ValueSource(strings = {"example.com", "notk8s.io", "k8s.io.example.com", "mykubernetes.io"})
  void condition_ofOtherGroups_isAbsent(String group) {
    assertThat(ApprovalPolicy.condition(group, Map.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"k8s.io", "sigs.k8s.io", "kubernetes.io", "deep.sigs.kubernetes.io"})
  void condition_withoutAnnotation_isFalse(String group) {
    assertThat(ApprovalPolicy.condition(group, Map.of()))
        .isEqualTo(of("False", "MissingAnnotation", DEMAND + SEE));
  }

  @ParameterizedTest
  @CsvSource({
    "https://github.com/kubernetes/kubernetes/pull/78458, True, ApprovedAnnotation, approved in"
        + " https://github.com/kubernetes/kubernetes/pull/78458",
    "'unapproved, in progress', False, UnapprovedAnnotation,"
        + " 'not approved: \"unapproved, in progress\"'"
  })
  void condition_followsTheAnnotation(
      String annotation, String status, String reason, String message) {
    assertThat(ApprovalPolicy.condition("sigs.k8s.io", annotated(annotation)))
        .isEqualTo(of(status, reason, message));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad value", "true", "/path", "mailto:someone@example.com", "://"})
  void condition_ofAnotherText_isInvalid(String annotation) {
    String form = " with either a URL or a reason starting with \"unapproved\"";

    assertThat(ApprovalPolicy.condition("sigs.k8s.io", annotated(annotation)))
        .isEqualTo(of("False", "InvalidAnnotation", DEMAND + form + SEE));
  }

  @Test
  void condition_ofAnEmptyAnnotation_isMissing() {
    assertThat(ApprovalPolicy.condition("k8s.io", annotated("")).orElseThrow().reason())
        .isEqualTo("MissingAnnotation");
  }

  private static Map<String, String> annotated(String value) {
    return Map.of(ApprovalPolicy.ANNOTATION, value);
  }

  private static Optional<DefinitionCondition> of(String status, String reason, String message) {
    return Optional.of(
        new DefinitionCondition("KubernetesAPIApprovalPolicyConformant", status, reason, message));
  }
}
