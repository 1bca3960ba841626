package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.plugin.PluginChain;
import dev.keelson.admission.plugin.PluginName;
import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.admission.podsecurity.PodSecurity;
import dev.keelson.admission.podsecurity.PodSecurityConfiguration;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.EnumSet;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AdmissionMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AdmissionMeters meters = new AdmissionMeters(registry);
  private final KnownObjects objects = new KnownObjects();
  private final AdmissionCalls calls = new AdmissionCalls();

  @Test
  void plugins_areMeasuredEachAndTogether() {
    Admission chain =
        PluginChain.of(
            new PluginOptions(
                EnumSet.of(
                    PluginName.NAMESPACE_LIFECYCLE,
                    PluginName.TAINT_NODES_BY_CONDITION,
                    PluginName.DEFAULT_INGRESS_CLASS),
                300,
                300),
            objects,
            AlwaysAuthorizer.ALWAYS_ALLOW,
            RandomGenerator.getDefault(),
            Map.of(),
            meters);
    ApiObject node = AdmissionCalls.object("v1", "nodes", "{'metadata':{'name':'n'}}");
    AdmissionAttributes call = calls.create("v1", "nodes", node);

    ApiObject tainted = chain.mutate(call, node);
    chain.validate(call.withObject(tainted));

    assertThat(
            registry
                .get("apiserver_admission_controller_admission_duration")
                .tags(
                    "name",
                    "TaintNodesByCondition",
                    "operation",
                    "CREATE",
                    "rejected",
                    "false",
                    "type",
                    "admit")
                .timer()
                .count())
        .isEqualTo(1);
    assertThat(
            registry
                .get("apiserver_admission_step_admission_duration")
                .tags("operation", "CREATE", "rejected", "false", "type", "validate")
                .timer()
                .count())
        .isEqualTo(1);
    assertThat(registry.find("apiserver_admission_controller_admission_duration").timers())
        .hasSize(2);
  }

  @Test
  void podSecurity_countsDecisionsByPolicy() {
    objects.put(
        "v1",
        "namespaces",
        AdmissionCalls.object(
            "v1",
            "namespaces",
            "{'metadata':{'name':'n','labels':{'pod-security.kubernetes.io/enforce':'baseline',"
                + "'pod-security.kubernetes.io/enforce-version':'v1.99'}}}"));
    ApiObject pod =
        AdmissionCalls.object(
            "v1",
            "pods",
            "{'metadata':{'name':'p','namespace':'n'},'spec':{'containers':[{'name':'c'}]}}");

    new PodSecurity(objects, PodSecurityConfiguration.DEFAULT, meters, System::nanoTime)
        .validate(calls.create("v1", "pods", pod));

    assertThat(
            registry
                .get("pod_security_evaluations_total")
                .tags(
                    "decision",
                    "allow",
                    "mode",
                    "enforce",
                    "policy_level",
                    "baseline",
                    "policy_version",
                    "future",
                    "request_operation",
                    "create",
                    "resource",
                    "pod",
                    "subresource",
                    "")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void privilegedPolicies_areCountedAsOfTheLatestVersion() {
    objects.put(
        "v1",
        "namespaces",
        AdmissionCalls.object(
            "v1",
            "namespaces",
            "{'metadata':{'name':'n','labels':{'pod-security.kubernetes.io/enforce':'privileged',"
                + "'pod-security.kubernetes.io/enforce-version':'v1.20'}}}"));
    ApiObject pod =
        AdmissionCalls.object(
            "v1",
            "pods",
            "{'metadata':{'name':'p','namespace':'n'},'spec':{'containers':[{'name':'c'}]}}");

    new PodSecurity(objects, PodSecurityConfiguration.DEFAULT, meters, System::nanoTime)
        .validate(calls.create("v1", "pods", pod));

    assertThat(
            registry
                .get("pod_security_evaluations_total")
                .tags("policy_version", "latest", "request_operation", "create")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void countsOfPodSecurity_existFromTheStart() {
    assertThat(registry.find("pod_security_evaluations_total").counters()).hasSize(2);
    assertThat(registry.find("pod_security_exemptions_total").counters()).hasSize(4);
  }
}
