package dev.keelson.admission.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.quota.DeviceClasses;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.Quota;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of Kubernetes' tests of the ResourceQuota plug-in. */
@Timeout(60)
class QuotaRequestTest {

  private static final Evaluators EVALUATORS =
      new Evaluators(DeviceClasses.NONE, new ManualClock());

  private final AdmissionCalls calls = new AdmissionCalls();

  private static List<Quota> quotas(String json) {
    List<Quota> quotas = new ArrayList<>();
    for (MapNode each : AdmissionCalls.tree("{'quotas':[" + json + "]}").maps("quotas")) {
      MapNode named = each.with("metadata", AdmissionCalls.tree("{'name':'q','namespace':'n'}"));
      quotas.add(Quota.of(new ApiObject(named), 1));
    }
    return quotas;
  }

  /** What the write is refused with, or the usages that it leaves. */
  private static String checked(AdmissionAttributes call, String quotas, String limited) {
    ApiObject object = Objects.requireNonNull(call.object());
    QuotaRequest request =
        new QuotaRequest(
            call,
            object,
            EVALUATORS.of(call.definition().groupResource()),
            LimitedResource.ofConfiguration(
                AdmissionCalls.tree("{'limitedResources':[" + limited + "]}")));
    try {
      return String.join(
          " ", request.check(quotas(quotas)).stream().map(each -> each.used().toString()).toList());
    } catch (ApiException e) {
      return e.text();
    }
  }

  private static String text(String given) {
    return given
        .replace("PRIORITY", "{'scopeName':'PriorityClass','operator':'Exists'}")
        .replace("IN(", "{'scopeName':'PriorityClass','operator':'In','values':[")
        .replace(")", "]}")
        .replace("BEST", "{'scopeName':'BestEffort','operator':'Exists'}")
        .replace("ON[", "{'spec':{'scopeSelector':{'matchExpressions':[")
        .replace("]END", "]}}")
        .replace(
            "EFFORT",
            "'spec':{'scopes':['BestEffort']},'status':{'hard':{'pods':'5'},'used':{'pods':'3'}}")
        .replace("PODS[", "{'resource':'pods','matchScopes':[");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a quota covers its scopes whatever it limits
        "high|3|ON[PRIORITY]END}|PODS[PRIORITY]}|",
        "high|3|ON[PRIORITY]END}|PODS[PRIORITY],'matchContains':['requests.cpu']}"
            + "|pods \"p\" is forbidden: insufficient quota to consume: requests.cpu",
        "high|3|{}|PODS[PRIORITY]}"
            + "|insufficient quota to match these scopes: [{PriorityClass Exists []}]",
        "high|0|{}|PODS[BEST]}"
            + "|insufficient quota to match these scopes: [{BestEffort Exists []}]",
        "high|0|{EFFORT}|PODS[BEST]}|pods=4",
        "high|1|{}|PODS[BEST]},PODS[IN('services')]}|",
        "high|0|{}|PODS[BEST]},PODS[IN('services')]}"
            + "|insufficient quota to match these scopes: [{BestEffort Exists []}]",
        "services|1|{}|PODS[BEST]},PODS[IN('services')]}"
            + "|insufficient quota to match these scopes: [{PriorityClass In [services]}]",
        "services|0|{}|PODS[BEST]},PODS[IN('services')]}"
            + "|insufficient quota to match these scopes: [{BestEffort Exists []}"
            + " {PriorityClass In [services]}]",
        "services|0|{}|PODS[BEST,IN('services')]}"
            + "|insufficient quota to match these scopes: [{BestEffort Exists []}"
            + " {PriorityClass In [services]}]",
        "services|0|{EFFORT}|PODS[BEST]},PODS[IN('services')]}"
            + "|insufficient quota to match these scopes: [{PriorityClass In [services]}]",
        "services|0|ON[IN('services')]END}|PODS[BEST]},PODS[IN('services')]}"
            + "|insufficient quota to match these scopes: [{BestEffort Exists []}]",
        "services|0|{EFFORT},ON[IN('services')]END}|PODS[BEST]},PODS[IN('services')]}|pods=4",
        "high|3|{}||",
        "high|3|ON[PRIORITY]END,'status':{'hard':{'cpu':'2'},'used':{'cpu':'1'}}}|PODS[PRIORITY]}"
            + "|pods \"p\" is forbidden: exceeded quota: q, requested: cpu=3, used: cpu=1,"
            + " limited: cpu=2",
        "high|3|ON[IN('services')]END}|PODS[IN('services')]}|",
        "services|3|ON[IN('services')]END}|PODS[IN('other','services')]}|",
        "services|3|ON[IN('other')]END}|PODS[IN('other','services')]}"
            + "|insufficient quota to match these scopes: [{PriorityClass In [other services]}]",
        "other|3|ON[IN('other')]END}|PODS[IN('other','services')]}|",
        "services|3|ON[PRIORITY]END}|PODS[IN('other','services')]}|",
      })
  void pod_needsQuotasOfItsLimitedScopes(
      String priority, int cpu, String quotas, String limited, String outcome) {
    ApiObject pod =
        AdmissionCalls.object(
            "v1",
            "pods",
            "{'metadata':{'name':'p','namespace':'n'},'spec':{'priorityClassName':'"
                + priority
                + "','containers':[{'name':'c'"
                + (cpu == 0 ? "" : ",'resources':{'requests':{'cpu':'" + cpu + "'}}")
                + "}]}}");

    assertThat(
            checked(
                    calls.create("v1", "pods", pod),
                    text(quotas),
                    limited == null ? "" : text(limited))
                .strip())
        .isEqualTo(outcome == null ? "" : outcome);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a limited resource needs a quota only if more of it is used
        "{'type':'LoadBalancer'}|{'type':'LoadBalancer'}||services.loadbalancers|",
        "{'type':'NodePort','ports':[{'port':1}]}|{'type':'LoadBalancer'}||services.loadbalancers"
            + "|services \"s\" is forbidden: insufficient quota to consume: services.loadbalancers",
        "{'type':'LoadBalancer'}|{'type':'NodePort','ports':[{'port':1}]}||services.loadbalancers|",
        "{'type':'LoadBalancer'}|{'type':'LoadBalancer'}"
            + "|'services.loadbalancers':'5'/'services.loadbalancers':'5'|services.loadbalancers"
            + "|services.loadbalancers=5",
        // what is used less is given back later
        "{'type':'LoadBalancer'}|{'type':'NodePort','ports':[{'port':1}]}"
            + "|'services':'9','services.loadbalancers':'9','services.nodeports':'9'"
            + "/'services':'1','services.loadbalancers':'1','services.nodeports':'0'|"
            + "|services=1,services.loadbalancers=1,services.nodeports=1",
        // a quota that is exceeded already rejects what uses more of the same only
        "{'type':'ClusterIP'}|{'type':'NodePort','ports':[{'port':1}]}"
            + "|'services':'1','services.nodeports':'3'/'services':'4','services.nodeports':'2'|"
            + "|services=4,services.nodeports=3",
        "{'type':'ClusterIP'}|{'type':'NodePort','ports':[{'port':1},{'port':2}]}"
            + "|'services.nodeports':'3'/'services.nodeports':'2'|"
            + "|services \"s\" is forbidden: exceeded quota: q, requested: services.nodeports=2,"
            + " used: services.nodeports=2, limited: services.nodeports=3",
      })
  void serviceThatChanges_isChargedForWhatItUsesMore(
      String before, String after, String quota, String limited, String outcome) {
    String json = "{'metadata':{'name':'s','namespace':'n'},'spec':%s}";
    AdmissionAttributes call =
        calls.update(
            "v1",
            "services",
            AdmissionCalls.object("v1", "services", json.formatted(after)),
            AdmissionCalls.object("v1", "services", json.formatted(before)));
    String[] parts = quota == null ? new String[0] : quota.split("/", -1);

    assertThat(
            checked(
                call,
                parts.length == 0
                    ? ""
                    : "{'status':{'hard':{" + parts[0] + "},'used':{" + parts[1] + "}}}",
                limited == null
                    ? ""
                    : "{'resource':'services','matchContains':['" + limited + "']}"))
        .isEqualTo(outcome == null ? "" : outcome);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10Gi|5Gi|persistentvolumeclaims=1,requests.storage=10Gi",
        "10Gi|15Gi|persistentvolumeclaims=1,requests.storage=15Gi",
        "10Gi|101Gi|persistentvolumeclaims \"v\" is forbidden: exceeded quota: q, requested:"
            + " requests.storage=91Gi, used: requests.storage=10Gi, limited:"
            + " requests.storage=100Gi",
      })
  void claimThatChanges_isChargedForItsGrowth(String before, String after, String outcome) {
    String json =
        "{'metadata':{'name':'v','namespace':'n'},'spec':{'resources':{'requests':"
            + "{'storage':'%s'}}}}";
    AdmissionAttributes call =
        calls.update(
            "v1",
            "persistentvolumeclaims",
            AdmissionCalls.object("v1", "persistentvolumeclaims", json.formatted(after)),
            AdmissionCalls.object("v1", "persistentvolumeclaims", json.formatted(before)));

    assertThat(
            checked(
                call,
                "{'status':{'hard':{'persistentvolumeclaims':'3','requests.storage':'100Gi'},"
                    + "'used':{'persistentvolumeclaims':'1','requests.storage':'10Gi'}}}",
                ""))
        .isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'requests':{'memory':'-1Gi'}}|'memory':'3Gi'/'memory':'1Gi'"
            + "|pods \"p\" is forbidden: quota usage is negative for resource(s):"
            + " memory,requests.memory",
        "{'requests':{'cpu':'1'}}|'cpu':'3','memory':'3Gi'/'cpu':'1','memory':'1Gi'"
            + "|pods \"p\" is forbidden: failed quota: q: must specify memory for: c",
        "{'requests':{'cpu':'1'}}|'cpu':'3','pods':'3'/'cpu':'1'"
            + "|pods \"p\" is forbidden: status unknown for quota: q, resources: cpu,pods",
        "{'requests':{'cpu':'1'}}|'pods':'9','services':'3'/'pods':'3','services':'4'"
            + "|pods=4,services=4",
        "{}|'limits.cpu':'3','requests.memory':'1'/'limits.cpu':'1','requests.memory':'0'"
            + "|pods \"p\" is forbidden: failed quota: q: must specify limits.cpu for: c;"
            + " requests.memory for: c",
      })
  void pod_mustHaveWhatAQuotaLimits(String resources, String quota, String outcome) {
    ApiObject pod =
        AdmissionCalls.object(
            "v1",
            "pods",
            "{'metadata':{'name':'p','namespace':'n'},'spec':{'containers':[{'name':'c',"
                + "'resources':"
                + resources
                + "}]}}");
    String[] parts = quota.split("/", -1);

    assertThat(
            checked(
                calls.create("v1", "pods", pod),
                "{'status':{'hard':{" + parts[0] + "},'used':{" + parts[1] + "}}}",
                ""))
        .isEqualTo(outcome);
  }
}
