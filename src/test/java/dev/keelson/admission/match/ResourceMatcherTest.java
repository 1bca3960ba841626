package dev.keelson.admission.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.AdmissionCalls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selectors, names and rules, in the manner of Kubernetes' matching_test.go. */
class ResourceMatcherTest {

  private static final String PODS =
      "'resourceRules':[{'apiGroups':[''],'apiVersions':['v1'],'operations':['*'],"
          + "'resources':['pods']}]";
  private static final String BAD = "{'matchExpressions':[{'key':'a','operator':'Near'}]}";

  private static ResourceMatcher matcher(String fields) {
    return ResourceMatcher.ofPolicy(AdmissionCalls.tree("{" + fields + "}"));
  }

  private static AdmissionAttributes create(String resource, String namespace) {
    ApiObject object =
        AdmissionCalls.object(
            "v1",
            resource,
            "{'metadata':{'name':'a','namespace':'" + namespace + "','labels':{'x':'y'}}}");
    return new AdmissionCalls().create("v1", resource, object);
  }

  private static Optional<Matched> match(ResourceMatcher matcher, AdmissionAttributes call) {
    return matcher.match(call, List.of(), () -> Map.of("in", "ns"));
  }

  @ParameterizedTest
  @CsvSource({"namespaceSelector", "objectSelector"})
  void selector_thatCannotBeRead_failsOnlyWhatTheRulesMatch(String selector) {
    ResourceMatcher matcher = matcher(PODS + ",'" + selector + "':" + BAD);

    assertThat(match(matcher, create("configmaps", "default"))).isEmpty();
    assertThat(matcher.rules(Verb.CREATE, AdmissionCalls.definition("v1", "pods"), "", List.of()))
        .isPresent();
    assertThatThrownBy(() -> match(matcher, create("pods", "default")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("\"Near\" is not a valid label selector operator");
  }

  @Test
  void selector_thatCannotBeRead_failsNothingThatTheOtherExcludes() {
    ResourceMatcher matcher =
        matcher(
            PODS + ",'namespaceSelector':" + BAD + ",'objectSelector':{'matchLabels':{'x':'z'}}");

    assertThat(match(matcher, create("pods", "default"))).isEmpty();
  }

  @Test
  void namespaceSelector_isNotForClusterScopedObjects() {
    ResourceMatcher matcher = matcher("'namespaceSelector':" + BAD);

    assertThat(match(matcher, create("nodes", ""))).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{}; true",
        "{'matchExpressions':[{'key':'x','operator':'DoesNotExist'}]}; false",
        "{'matchExpressions':[{'key':'x','operator':'NotIn','values':['z']}]}; false",
      })
  void optionsOfAConnect_haveNoLabelsToSelectBy(String selector, boolean matches) {
    AdmissionAttributes call = create("pods", "default");
    AdmissionAttributes connect =
        new AdmissionAttributes(
            Verb.CONNECT,
            call.definition(),
            "exec",
            "default",
            "a",
            AdmissionCalls.object("v1", "pods", "{}").withType("v1", "PodExecOptions"),
            null,
            call.request());
    String rules = PODS.replace("'pods'", "'pods/exec'");

    assertThat(match(matcher(rules + ",'objectSelector':" + selector), connect).isPresent())
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'namespaceSelector':{'matchLabels':{'in':'ns'}}; true",
        "'namespaceSelector':{'matchLabels':{'in':'other'}}; false",
        "'objectSelector':{'matchExpressions':[{'key':'x','operator':'Exists'}]}; true",
        "'objectSelector':{'matchExpressions':[{'key':'x','operator':'DoesNotExist'}]}; false",
        "'excludeResourceRules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['CREATE'],"
            + "'resources':['*'],'resourceNames':['a']}]; false",
        "'excludeResourceRules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['CREATE'],"
            + "'resources':['*'],'resourceNames':['b']}]; true",
        "'excludeResourceRules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['CREATE'],"
            + "'resources':['*'],'scope':'Cluster'}]; true",
        "'excludeResourceRules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['UPDATE'],"
            + "'resources':['*/*']}]; true",
        "'excludeResourceRules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['CREATE'],"
            + "'resources':['*/*']}]; false",
        "'excludeResourceRules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['CREATE'],"
            + "'resources':['*/status']}]; true",
      })
  void pod_isMatchedByRulesAndSelectors(String fields, boolean matches) {
    assertThat(match(matcher(PODS + "," + fields), create("pods", "default")).isPresent())
        .isEqualTo(matches);
  }
}
