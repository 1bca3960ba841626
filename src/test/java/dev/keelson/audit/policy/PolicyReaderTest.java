package dev.keelson.audit.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies that are refused; the messages are those of kube-apiserver. */
class PolicyReaderTest {

  private static final String HEAD = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "rules: [{users: [a]}] | rules[0].level: Required value",
        "rules: [{level: Full}] | rules[0].level: Unsupported value: \"Full\": supported values:"
            + " \"None\", \"Metadata\", \"Request\", \"RequestResponse\"",
        "rules: [{level: None, nonResourceURLs: [api]}] | rules[0].nonResourceURLs[0]: Invalid"
            + " value: \"api\": non-resource URL rules must begin with a '/' character",
        "rules: [{level: None}, {level: None, nonResourceURLs: [/ok, '/a*/b']}] |"
            + " rules[1].nonResourceURLs[1]: Invalid value: \"/a*/b\": non-resource URL wildcards"
            + " '*' must be the final character of the rule",
        "rules: [{level: None, namespaces: [a], nonResourceURLs: [/b]}] |"
            + " rules[0].nonResourceURLs: Invalid value: [\"/b\"]: rules cannot apply to both"
            + " regular resources and non-resource URLs",
        "rules: [{level: None, resources: [{group: '', resourceNames: [x]}]}] |"
            + " rules[0].resources.resourceNames: Invalid value: [\"x\"]: using resourceNames"
            + " requires at least one resource",
        "rules: [{level: None, omitStages: [Never]}] | rules[0].omitStages[0]: Invalid value:"
            + " \"Never\": allowed stages are"
            + " RequestReceived,ResponseStarted,ResponseComplete,Panic",
        "{omitStages: [Later], rules: [{level: None}]} | omitStages[0]: Invalid value: \"Later\":"
            + " allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic",
        "rules: [] | loaded illegal policy with 0 rules",
        "metadata: {name: x} | loaded illegal policy with 0 rules",
        "rules: [{level: 5}] | failed decoding: json: cannot unmarshal number into Go struct"
            + " field PolicyRule.rules.level of type string",
        "rules: [{level: None, users: me}] | failed decoding: json: cannot unmarshal string into"
            + " Go struct field PolicyRule.rules.users of type []string",
        "rules: {level: None} | failed decoding: json: cannot unmarshal object into Go struct"
            + " field Policy.rules of type []v1.PolicyRule",
      })
  void wrongPolicy_isRefusedWithItsField(String body, String message) {
    String text = body.startsWith("{") ? body.replaceFirst("\\{", "{" + inline()) : HEAD + body;

    assertThatThrownBy(() -> read(text)).hasMessage(message);
  }

  @Test
  void severalProblems_areToldTogether() {
    assertThatThrownBy(() -> read(HEAD + "rules: [{level: A}, {}]"))
        .hasMessageStartingWith("[rules[0].level: Unsupported value: \"A\"")
        .hasMessageEndingWith(", rules[1].level: Required value]");
  }

  @Test
  void groupWithVersion_isRefused() {
    assertThatThrownBy(() -> read(HEAD + "rules: [{level: None, resources: [{group: apps/v1}]}]"))
        .hasMessageStartingWith(
            "rules[0].resources.group: Invalid value: \"apps/v1\": a lowercase RFC 1123 subdomain");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: Policy | failed decoding: Object 'apiVersion' is missing",
        "apiVersion: audit.k8s.io/v1 | failed decoding: Object 'Kind' is missing",
        "{apiVersion: audit.k8s.io/v2, kind: Policy} | failed decoding: no kind \"Policy\" is"
            + " registered for version \"audit.k8s.io/v2\"",
        "{apiVersion: audit.k8s.io/v1, kind: Event} | failed decoding: no kind \"Event\" is"
            + " registered for version \"audit.k8s.io/v1\"",
        "[] | failed decoding: couldn't get version/kind; the document is no object",
      })
  void anotherKind_isRefused(String text, String message) {
    assertThatThrownBy(() -> read(text)).hasMessage(message);
  }

  @Test
  void unknownFields_areReportedAndIgnored() {
    PolicyReader.Result result =
        read(HEAD + "extra: 1\nrules: [{level: None, user: [a], resources: [{verbs: [b]}]}]");

    assertThat(result.warnings())
        .containsExactly(
            "unknown field \"extra\"",
            "unknown field \"rules[0].user\"",
            "unknown field \"rules[0].resources[0].verbs\"");
  }

  private static String inline() {
    return "apiVersion: audit.k8s.io/v1, kind: Policy, ";
  }

  private static PolicyReader.Result read(String yaml) {
    return PolicyReader.read(ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8)));
  }
}
