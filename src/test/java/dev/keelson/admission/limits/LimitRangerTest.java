package dev.keelson.admission.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.AdmissionCalls;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitRangerTest {

  private static final String DEFAULTS =
      "{'type':'Container','default':{'cpu':'75m','memory':'10Mi'},"
          + "'defaultRequest':{'cpu':'50m','memory':'5Mi'}}";

  private final AdmissionCalls calls = new AdmissionCalls();

  private static LimitRanger ranger(String... limits) {
    ApiObject limitRange =
        AdmissionCalls.object(
            "v1", "limitranges", "{'spec':{'limits':[" + String.join(",", limits) + "]}}");
    return new LimitRanger(namespace -> List.of(limitRange));
  }

  private static ApiObject pod(String spec) {
    return AdmissionCalls.object(
        "v1", "pods", "{'metadata':{'name':'p','namespace':'n'},'spec':" + spec + "}");
  }

  private static ApiObject podOf(String requests, String limits) {
    return pod(
        "{'containers':[{'name':'c','resources':{'requests':"
            + requests
            + ",'limits':"
            + limits
            + "}}]}");
  }

  private ApiObject mutated(LimitRanger ranger, ApiObject pod) {
    return ranger.mutate(calls.create("v1", "pods", pod), pod);
  }

  @Test
  void defaults_fillWhatEachContainerLacks() {
    ApiObject pod =
        mutated(
            ranger(DEFAULTS),
            pod(
                "{'containers':[{'name':'a'},{'name':'b','resources':{'limits':{'cpu':'1'}}}],"
                    + "'initContainers':[{'name':'i','resources':{'requests':{'memory':'1Mi'},"
                    + "'limits':{'cpu':'1','memory':'1Gi'}}}]}"));

    List<MapNode> containers = pod.root().map("spec").maps("containers");
    assertThat(containers.getFirst().map("resources"))
        .isEqualTo(
            AdmissionCalls.tree(
                "{'requests':{'cpu':'50m','memory':'5Mi'},'limits':{'cpu':'75m','memory':'10Mi'}}"));
    assertThat(containers.getLast().map("resources").map("limits").texts())
        .containsEntry("cpu", "1")
        .containsEntry("memory", "10Mi");
    assertThat(pod.meta().annotations())
        .containsEntry(
            "kubernetes.io/limit-ranger",
            "LimitRanger plugin set: cpu, memory request for container a; cpu, memory limit for"
                + " container a; cpu, memory request for container b; memory limit for container b;"
                + " cpu request for init container i");
  }

  @Test
  void defaults_leaveACompletePodAlone() {
    ApiObject pod = podOf("{'cpu':'1','memory':'1'}", "{'cpu':'1','memory':'1'}");

    assertThat(mutated(ranger(DEFAULTS), pod)).isSameAs(pod);
    assertThat(mutated(ranger("{'type':'Container','max':{'cpu':'1'}}"), pod)).isSameAs(pod);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'min':{'cpu':'50m'}}|{'cpu':'40m'}|{}|minimum cpu usage per Container is 50m, but request"
            + " is 40m",
        "{'min':{'cpu':'50m'}}|{}|{'cpu':'200m'}|minimum cpu usage per Container is 50m.  No"
            + " request is specified",
        "{'min':{'cpu':'50m'}}|{'cpu':'60m'}|{'cpu':'40m'}|minimum cpu usage per Container is 50m,"
            + " but limit is 40m",
        "{'max':{'cpu':'2'}}|{'cpu':'1'}|{}|maximum cpu usage per Container is 2.  No limit is"
            + " specified",
        "{'max':{'cpu':'2'}}|{'cpu':'1'}|{'cpu':'3'}|maximum cpu usage per Container is 2, but"
            + " limit is 3",
        "{'max':{'cpu':'2'}}|{'cpu':'3'}|{'cpu':'2'}|maximum cpu usage per Container is 2, but"
            + " request is 3",
        "{'max':{'memory':'2Gi'}}|{}|{'memory':'3Gi'}|maximum memory usage per Container is 2Gi,"
            + " but limit is 3Gi",
        "{'maxLimitRequestRatio':{'cpu':'1500m'}}|{'cpu':'1'}|{'cpu':'2'}|cpu max limit to request"
            + " ratio per Container is 1500m, but provided ratio is 2.000000",
        "{'maxLimitRequestRatio':{'cpu':'2'}}|{}|{'cpu':'2'}|cpu max limit to request ratio per"
            + " Container is 2, but no request is specified or request is 0",
        "{'maxLimitRequestRatio':{'cpu':'2'}}|{'cpu':'1'}|{}|cpu max limit to request ratio per"
            + " Container is 2, but no limit is specified or limit is 0",
      })
  void container_isRejectedWithTheReason(
      String limit, String requests, String limits, String message) {
    String typed = "{'type':'Container'," + limit.substring(1);
    AdmissionAttributes call = calls.create("v1", "pods", podOf(requests, limits));

    assertThatThrownBy(() -> ranger(typed).validate(call))
        .hasMessage("pods \"p\" is forbidden: " + message);
  }

  @Test
  void bounds_areInclusive() {
    LimitRanger ranger =
        ranger(
            "{'type':'Container','min':{'cpu':'50m'},'max':{'cpu':'2'},"
                + "'maxLimitRequestRatio':{'cpu':'2'}}");

    for (ApiObject pod :
        List.of(
            podOf("{'cpu':'50m'}", "{'cpu':'100m'}"), podOf("{'cpu':'1'}", "{'cpu':'2000m'}"))) {
      assertThatCode(() -> ranger.validate(calls.create("v1", "pods", pod)))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void violations_areListedOnceEach() {
    AdmissionAttributes call =
        calls.create("v1", "pods", pod("{'containers':[{'name':'a'},{'name':'b'}]}"));

    assertThatThrownBy(
            () -> ranger("{'type':'Container','min':{'cpu':'1'},'max':{'cpu':'2'}}").validate(call))
        .hasMessage(
            "pods \"p\" is forbidden: [minimum cpu usage per Container is 1.  No request is"
                + " specified, maximum cpu usage per Container is 2.  No limit is specified]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // init containers count for themselves, sidecars together with the containers
        "{'initContainers':[{'name':'i','resources':{'limits':{'cpu':'3'}}}],'containers':[{'name':'c','resources':{'limits':{'cpu':'1'}}}]}|3",
        "{'initContainers':[{'name':'i','restartPolicy':'Always','resources':{'limits':{'cpu':'2'}}}],'containers':[{'name':'c','resources':{'limits':{'cpu':'1'}}}]}|3",
        "{'containers':[{'name':'c','resources':{'limits':{'cpu':'1'}}},{'name':'d','resources':{'limits':{'cpu':'2'}}}]}|3",
        "{'resources':{'limits':{'cpu':'3'}},'containers':[{'name':'c','resources':{'limits':{'cpu':'1'}}}]}|3",
      })
  void pod_isLimitedAsAWhole(String spec, String sum) {
    AdmissionAttributes call = calls.create("v1", "pods", pod(spec));

    assertThatThrownBy(() -> ranger("{'type':'Pod','max':{'cpu':'2500m'}}").validate(call))
        .hasMessage(
            "pods \"p\" is forbidden: maximum cpu usage per Pod is 2500m, but limit is " + sum);
  }

  @Test
  void claim_isLimitedByItsRequest() {
    LimitRanger ranger =
        ranger("{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'},'max':{'storage':'3Gi'}}");
    for (String[] row :
        new String[][] {
          {"500Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi"},
          {"4Gi", "maximum storage usage per PersistentVolumeClaim is 3Gi, but request is 4Gi"}
        }) {
      ApiObject claim =
          AdmissionCalls.object(
              "v1",
              "persistentvolumeclaims",
              "{'metadata':{'name':'v'},'spec':{'resources':{'requests':{'storage':'"
                  + row[0]
                  + "'}}}}");

      assertThatThrownBy(
              () -> ranger.validate(calls.update("v1", "persistentvolumeclaims", claim, claim)))
          .hasMessage("persistentvolumeclaims \"v\" is forbidden: " + row[1]);
    }
  }

  @Test
  void objectsThatAreBeingDeleted_areNotChecked() {
    ApiObject claim =
        AdmissionCalls.object(
            "v1",
            "persistentvolumeclaims",
            "{'metadata':{'name':'v','deletionTimestamp':'2026-01-01T00:00:00Z'}}");

    assertThatCode(
            () ->
                ranger("{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'}}")
                    .validate(calls.update("v1", "persistentvolumeclaims", claim, claim)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "pods,CREATE,'',true",
    "pods,UPDATE,'',false",
    "pods,UPDATE,resize,true",
    "pods,UPDATE,status,false",
    "pods,CREATE,binding,false",
    "persistentvolumeclaims,CREATE,'',true",
    "persistentvolumeclaims,UPDATE,'',true",
    "persistentvolumeclaims,UPDATE,status,false",
    "services,CREATE,'',false"
  })
  void handles_podsAndClaims(String resource, Verb operation, String subresource, boolean handled) {
    assertThat(ranger().handles(operation, new GroupResource("", resource), subresource))
        .isEqualTo(handled);
  }
}
