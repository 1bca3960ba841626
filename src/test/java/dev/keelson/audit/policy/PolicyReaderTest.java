package dev.keelson.audit.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.event.Level;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Untyped;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "rules: [{verbs: [get], resources: [{resources: [secrets]}], namespaces: [kube-system]}] |"
            + " rules[0].level: Required value",
        "rules: [{level: Metadata, resources: [{resources: [secrets]}], nonResourceURLs:"
            + " ['/logs*']}] | rules[0].nonResourceURLs: Invalid value: [\"/logs*\"]: rules cannot"
            + " apply to both regular resources and non-resource URLs",
        "rules: [{level: Metadata, nonResourceURLs: ['', '/healthz*']}] |"
            + " rules[0].nonResourceURLs[0]: Invalid value: \"\": non-resource URL rules must begin"
            + " with a '/' character",
        "rules: [{level: Metadata, nonResourceURLs: ['/logs/*/*', /metrics]}] |"
            + " rules[0].nonResourceURLs[0]: Invalid value: \"/logs/*/*\": non-resource URL"
            + " wildcards '*' must be the final character of the rule",
        "rules: [{level: Metadata, nonResourceURLs: ['/logs/*.log', /metrics]}] |"
            + " rules[0].nonResourceURLs[0]: Invalid value: \"/logs/*.log\": non-resource URL"
            + " wildcards '*' must be the final character of the rule",
        "rules: [{level: Metadata}, {level: None, userGroups: [a]}, {}] | rules[2].level: Required"
            + " value",
        "rules: [{level: None, resources: [{resourceNames: [x]}, {resourceNames: [x]}]}] |"
            + " rules[0].resources.resourceNames: Invalid value: [\"x\"]: using resourceNames"
            + " requires at least one resource",
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
            + " field PolicyRule.rules.level of type v1.Level",
        "rules: [{level: None, omitStages: Panic}] | failed decoding: json: cannot unmarshal"
            + " string into Go struct field PolicyRule.rules.omitStages of type []v1.Stage",
        "{omitStages: [1], rules: [{level: None}]} | failed decoding: json: cannot unmarshal"
            + " number into Go struct field Policy.omitStages of type v1.Stage",
        "{metadata: x, rules: [{level: None}]} | failed decoding: json: cannot unmarshal string"
            + " into Go struct field Policy.metadata of type v1.ObjectMeta",
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
  void groupThatIsNoName_isRefused() {
    for (String group : new String[] {"apps/v1", "rbac.authorization.k8s.io/v1beta1", "*.k8s.io"}) {
      assertThatThrownBy(
              () -> read(HEAD + "rules: [{level: None, resources: [{group: '" + group + "'}]}]"))
          .hasMessageStartingWith(
              "rules[0].resources.group: Invalid value: \""
                  + group
                  + "\": a lowercase RFC 1123 subdomain");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: Policy | unknown group version field audit.k8s.io/__internal, Kind=Policy in policy",
        "rules: [{level: None}] | unknown group version field audit.k8s.io/__internal, Kind=Policy"
            + " in policy",
        "null | unknown group version field audit.k8s.io/__internal, Kind=Policy in policy",
        "apiVersion: audit.k8s.io/v1 | loaded illegal policy with 0 rules",
        "{apiVersion: audit.k8s.io/v2, kind: Policy} | failed decoding: no kind \"Policy\" is"
            + " registered for version \"audit.k8s.io/v2\"",
        "{apiVersion: audit.k8s.io/v1beta1, kind: Policy, rules: [{level: None}]} | failed"
            + " decoding: no kind \"Policy\" is registered for version \"audit.k8s.io/v1beta1\"",
        "{apiVersion: audit.k8s.io/v1, kind: Event} | failed decoding: converting (v1.Event) to"
            + " (audit.Policy): unknown conversion",
        "kind: PolicyList | failed decoding: converting (audit.PolicyList) to (audit.Policy):"
            + " unknown conversion",
        "kind: Pod | failed decoding: no kind \"Pod\" is registered for the internal version of"
            + " group \"audit.k8s.io\"",
        "{apiVersion: a/b/c, kind: Policy} | failed decoding: unexpected GroupVersion string:"
            + " a/b/c",
        "{apiVersion: audit.k8s.io/v1, kind: 5} | failed decoding: couldn't get version/kind; json"
            + " parse error: json: cannot unmarshal number into Go struct field .kind of type"
            + " string",
        "[] | failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal"
            + " array into Go value of type struct { APIVersion string"
            + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
            + " \"json:\\\"kind,omitempty\\\"\" }",
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

  @Test
  void emptyFile_isRefused() {
    assertThatThrownBy(() -> read("")).hasMessageContaining("the document is empty");
  }

  @Test
  void documentWithoutKind_isAPolicy() {
    PolicyReader.Result result = read("{apiVersion: audit.k8s.io/v1, rules: [{level: Request}]}");

    assertThat(result.warnings()).isEmpty();
    assertThat(
            result
                .policy()
                .evaluate(null, RequestInfoResolver.parse("GET", "/api/v1/pods", Map.of()))
                .level())
        .isEqualTo(Level.REQUEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{level: Metadata}",
        "{level: None, userGroups: [system:serviceaccounts, system:nodes]}",
        "{level: RequestResponse, verbs: [get], resources: [{group: rbac.authorization.k8s.io,"
            + " resources: [roles, rolebindings]}], namespaces: [kube-system]}",
        "{level: Metadata, userGroups: [developers], nonResourceURLs: ['/logs*', '/healthz*',"
            + " /metrics, '*']}",
        "{level: Metadata}, {level: None, userGroups: [system:nodes]}",
        "{level: None, resources: [{group: '*', resources: ['*/status']}]}",
      })
  void validRules_areRead(String rules) {
    assertThat(read(HEAD + "rules: [" + rules + "]").warnings()).isEmpty();
  }

  @Test
  void duplicateFields_areReported_andTheLastCounts() {
    PolicyReader.Result result = read(HEAD + "rules:\n- level: None\n  level: Request\n");

    assertThat(result.warnings()).containsExactly("line 5: key \"level\" already set in map");
    assertThat(
            result
                .policy()
                .evaluate(null, RequestInfoResolver.parse("GET", "/version", Map.of()))
                .level())
        .isEqualTo(Level.REQUEST);
  }

  private static String inline() {
    return "apiVersion: audit.k8s.io/v1, kind: Policy, ";
  }

  private static PolicyReader.Result read(String yaml) {
    Untyped file =
        ObjectReader.untypedYaml(
            yaml.getBytes(StandardCharsets.UTF_8), FieldValidation.WARN, TreeBudget.unbounded());
    return PolicyReader.read(file.root(), file.problems());
  }
}
