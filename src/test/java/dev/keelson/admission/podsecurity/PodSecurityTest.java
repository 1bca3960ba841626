package dev.keelson.admission.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PodSecurityTest {

  private static final String PLAIN = "'spec':{'containers':[{'name':'c','image':'i'}]}";
  private static final String PRIVILEGED =
      "'spec':{'containers':[{'name':'c','image':'i','securityContext':{'privileged':true}}]}";
  private static final String ALLOWED =
      "'spec':{'securityContext':{'runAsNonRoot':true,'seccompProfile':{'type':'RuntimeDefault'}},"
          + "'containers':[{'name':'c','image':'i','securityContext':"
          + "{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']}}}]}";

  private final KnownObjects objects = new KnownObjects();
  private final AdmissionCalls calls = new AdmissionCalls();
  private final AtomicLong clock = new AtomicLong();
  private final List<String> counted = new ArrayList<>();
  private PodSecurityConfiguration configuration = PodSecurityConfiguration.DEFAULT;

  private final PodSecurityMetrics metrics =
      new PodSecurityMetrics() {
        @Override
        public void evaluated(
            boolean allowed, LevelVersion policy, Mode mode, AdmissionAttributes call) {
          counted.add((allowed ? "allow " : "deny ") + mode.text() + " " + policy);
        }

        @Override
        public void exempted(AdmissionAttributes call) {
          counted.add("exempt");
        }

        @Override
        public void failed(boolean fatal, AdmissionAttributes call) {
          counted.add("error " + fatal);
        }
      };

  private PodSecurity plugin() {
    return new PodSecurity(objects, configuration, metrics, clock::get);
  }

  private static ApiObject namespace(String name, String... labels) {
    StringBuilder json = new StringBuilder();
    for (int i = 0; i < labels.length; i += 2) {
      json.append(i == 0 ? "" : ",")
          .append("'pod-security.kubernetes.io/%s':'%s'".formatted(labels[i], labels[i + 1]));
    }
    return AdmissionCalls.object(
        "v1", "namespaces", "{'metadata':{'name':'%s','labels':{%s}}}".formatted(name, json));
  }

  private void existing(String name, String... labels) {
    objects.put("v1", "namespaces", namespace(name, labels));
  }

  private static ApiObject pod(String rest) {
    return AdmissionCalls.object(
        "v1", "pods", "{'metadata':{'name':'p','namespace':'ns'}," + rest + "}");
  }

  private Verdict create(String rest) {
    return plugin().decide(calls.create("v1", "pods", pod(rest)));
  }

  private static String refusal(Verdict verdict) {
    return Objects.requireNonNull(verdict.refusal()).text();
  }

  @Test
  void pod_ofUnlabelledNamespace_isAllowedAsPrivileged() {
    existing("ns");

    Verdict verdict = create(PRIVILEGED);

    assertThat(verdict.refusal()).isNull();
    assertThat(verdict.annotations()).isEqualTo(Map.of("enforce-policy", "privileged:latest"));
    assertThat(counted).containsExactly("allow enforce privileged:latest");
  }

  @Test
  void pod_thatViolatesTheEnforcedLevel_isRejectedWithEveryViolation() {
    existing("ns", "enforce", "restricted");

    ApiException refusal =
        catchThrowableOfType(
            ApiException.class, () -> plugin().validate(calls.create("v1", "pods", pod(PLAIN))));

    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal)
        .hasMessage(
            "pods \"p\" is forbidden: violates PodSecurity \"restricted:latest\":"
                + " allowPrivilegeEscalation != false (container \"c\" must set"
                + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities"
                + " (container \"c\" must set securityContext.capabilities.drop=[\"ALL\"]),"
                + " runAsNonRoot != true (pod or container \"c\" must set"
                + " securityContext.runAsNonRoot=true), seccompProfile (pod or container \"c\""
                + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                + " \"Localhost\")");
    assertThat(calls.warnings()).isEmpty();
    assertThat(counted).containsExactly("deny enforce restricted:latest");
    assertThat(create(ALLOWED).refusal()).isNull();
  }

  @Test
  void pod_isCheckedAgainstTheVersionOfEachMode() {
    existing(
        "ns",
        "enforce",
        "baseline",
        "enforce-version",
        "v1.20",
        "warn",
        "restricted",
        "warn-version",
        "v1.0",
        "audit",
        "restricted");

    Verdict verdict = create(PLAIN);

    assertThat(verdict.refusal()).isNull();
    assertThat(verdict.warnings())
        .containsExactly(
            "would violate PodSecurity \"restricted:v1.0\": runAsNonRoot != true (pod or container"
                + " \"c\" must set securityContext.runAsNonRoot=true)");
    assertThat(verdict.annotations()).containsEntry("enforce-policy", "baseline:v1.20");
    assertThat(verdict.annotations().get("audit-violations"))
        .startsWith("would violate PodSecurity \"restricted:latest\": allowPrivilegeEscalation");
    assertThat(counted)
        .containsExactly(
            "allow enforce baseline:v1.20",
            "deny audit restricted:latest",
            "deny warn restricted:v1.0");
    assertThat(refusal(create(PRIVILEGED)))
        .contains("violates PodSecurity \"baseline:v1.20\": privileged (container \"c\"");
  }

  @Test
  void pod_ofRejectedRequest_isNotWarnedOf() {
    existing("ns", "enforce", "baseline", "warn", "baseline", "audit", "baseline");

    Verdict verdict = create(PRIVILEGED);

    assertThat(verdict.warnings()).isEmpty();
    assertThat(verdict.annotations()).containsKey("audit-violations");
  }

  @Test
  void pod_ofNamespaceWithInvalidLabels_isHeldToTheStrictestLevel() {
    existing("ns", "enforce", "bogus", "warn", "bogus");

    Verdict verdict = create(PLAIN);

    assertThat(refusal(verdict)).contains("violates PodSecurity \"restricted:latest\"");
    assertThat(verdict.warnings()).isEmpty();
    assertThat(verdict.annotations().get("error"))
        .isEqualTo(
            "Failed to parse policy: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid"
                + " value: \"bogus\": must be one of privileged, baseline, restricted,"
                + " metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: \"bogus\":"
                + " must be one of privileged, baseline, restricted]");
    assertThat(counted).contains("error false");
  }

  @Test
  void pod_ofUnknownNamespace_failsAsInternalError() {
    Verdict verdict = create(PLAIN);

    assertThat(refusal(verdict)).contains("failed to lookup namespace \"ns\"");
    assertThat(Objects.requireNonNull(verdict.refusal()).reason()).isEqualTo(Reason.INTERNAL_ERROR);
    assertThat(counted).containsExactly("error true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"})
  void subresource_thatDoesNotChangeTheSpec_isIgnored(String subresource) {
    existing("ns", "enforce", "restricted");

    AdmissionAttributes call =
        calls.call(Verb.CREATE, "v1", "pods", subresource, pod(PRIVILEGED), null);

    assertThat(plugin().decide(call)).isEqualTo(Verdict.ALLOWED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "same | {'containers':[{'name':'c','image':'i'}]} | false",
        "image | {'containers':[{'name':'c','image':'j'}]} | true",
        "more | {'containers':[{'name':'c','image':'i'},{'name':'d','image':'i'}]} | true",
        "init | {'containers':[{'name':'c','image':'i'}],'initContainers':[{'name':'d'}]} | true",
        "node | {'nodeName':'n','containers':[{'name':'c','image':'i'}]} | false",
        "debug | {'containers':[{'name':'c','image':'i'}],'ephemeralContainers':[{'name':'e'}]} |"
            + " true"
      })
  void update_isCheckedIfContainersOrImagesChange(String what, String spec, boolean checked) {
    existing("ns", "enforce", "restricted");
    ApiObject current = pod(PLAIN);
    ApiObject next = pod("'spec':" + spec);

    Verdict verdict =
        plugin()
            .decide(
                calls.call(
                    Verb.UPDATE,
                    "v1",
                    "pods",
                    what.equals("debug") ? "ephemeralcontainers" : "",
                    next,
                    current));

    assertThat(verdict.refusal() != null).isEqualTo(checked);
  }

  @Test
  void update_ofSeccompAnnotation_isChecked() {
    existing("ns", "enforce", "restricted");
    String annotated =
        "{'metadata':{'name':'p','namespace':'ns','annotations':"
            + "{'container.seccomp.security.alpha.kubernetes.io/c':'x'}},"
            + PLAIN
            + "}";
    ApiObject next = AdmissionCalls.object("v1", "pods", annotated);

    assertThat(plugin().decide(calls.update("v1", "pods", next, pod(PLAIN))).refusal()).isNotNull();
    assertThat(plugin().decide(calls.update("v1", "pods", next, next)).refusal()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "apps/v1,deployments,'{''spec'':{''template'':{%s}}}'",
    "apps/v1,statefulsets,'{''spec'':{''template'':{%s}}}'",
    "apps/v1,daemonsets,'{''spec'':{''template'':{%s}}}'",
    "apps/v1,replicasets,'{''spec'':{''template'':{%s}}}'",
    "batch/v1,jobs,'{''spec'':{''template'':{%s}}}'",
    "batch/v1,cronjobs,'{''spec'':{''jobTemplate'':{''spec'':{''template'':{%s}}}}}'",
    "v1,replicationcontrollers,'{''spec'':{''template'':{%s}}}'",
    "v1,podtemplates,'{''template'':{%s}}'"
  })
  void workload_isWarnedOfAndAuditedButNotRejected(String version, String resource, String json) {
    existing("ns", "enforce", "restricted", "warn", "baseline", "audit", "baseline");
    ApiObject object = AdmissionCalls.object(version, resource, json.formatted(PRIVILEGED));
    object = object.withMeta(object.meta().withText("name", "w").withText("namespace", "ns"));

    Verdict verdict = plugin().decide(calls.create(version, resource, object));

    assertThat(verdict.refusal()).isNull();
    assertThat(verdict.warnings())
        .containsExactly(
            "would violate PodSecurity \"baseline:latest\": privileged (container \"c\" must not"
                + " set securityContext.privileged=true)");
    assertThat(verdict.annotations()).containsOnlyKeys("audit-violations");
    assertThat(
            plugin().decide(calls.call(Verb.UPDATE, version, resource, "status", object, object)))
        .isEqualTo(Verdict.ALLOWED);
  }

  @Test
  void workload_withoutTemplateOrInPrivilegedNamespace_isAllowed() {
    existing("ns", "enforce", "restricted");
    ApiObject empty =
        AdmissionCalls.object(
            "v1", "replicationcontrollers", "{'metadata':{'name':'w','namespace':'ns'},'spec':{}}");

    assertThat(plugin().decide(calls.create("v1", "replicationcontrollers", empty)))
        .isEqualTo(Verdict.ALLOWED);
    existing("ns", "warn", "restricted");
    assertThat(plugin().decide(calls.create("v1", "replicationcontrollers", empty)))
        .isEqualTo(Verdict.ALLOWED);
    ApiObject map =
        AdmissionCalls.object("v1", "configmaps", "{'metadata':{'name':'m','namespace':'ns'}}");
    assertThat(plugin().decide(calls.create("v1", "configmaps", map))).isEqualTo(Verdict.ALLOWED);
  }

  @Test
  void exemptions_areUsersNamespacesAndRuntimeClasses() {
    existing("ns", "enforce", "restricted");
    configuration =
        PodSecurityConfiguration.of(
            AdmissionCalls.tree(
                "{'apiVersion':'pod-security.admission.config.k8s.io/v1beta1','kind':'PodSecurityConfiguration','exemptions':{'usernames':['root'],'namespaces':['free'],"
                    + "'runtimeClasses':['vm']}}"));
    String isolated = PRIVILEGED.replace("{'containers'", "{'runtimeClassName':'vm','containers'");

    assertThat(create(isolated).annotations()).isEqualTo(Map.of("exempt", "runtimeClass"));
    assertThat(create(PRIVILEGED).refusal()).isNotNull();
    calls.as("root");
    assertThat(create(PRIVILEGED).annotations()).isEqualTo(Map.of("exempt", "user"));
    calls.as("alice");
    ApiObject free = pod(PRIVILEGED);
    free = free.withMeta(free.meta().withText("namespace", "free"));
    assertThat(plugin().decide(calls.create("v1", "pods", free)).annotations())
        .isEqualTo(Map.of("exempt", "namespace"));
  }

  @Test
  void namespace_withInvalidLabels_isRejectedUnlessItHadThem() {
    ApiObject bad = namespace("ns", "enforce", "none", "warn-version", "1.25", "audit", "baseline");

    Verdict verdict = plugin().decide(calls.create("v1", "namespaces", bad));

    assertThat(Objects.requireNonNull(verdict.refusal()).reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal(verdict))
        .isEqualTo(
            "Namespace \"ns\" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]:"
                + " Invalid value: \"none\": must be one of privileged, baseline, restricted,"
                + " metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value:"
                + " \"1.25\": must be \"latest\" or \"v1.x\"]");
    assertThat(plugin().decide(calls.update("v1", "namespaces", bad, bad)).refusal()).isNull();
    assertThat(plugin().decide(calls.update("v1", "namespaces", bad, namespace("ns"))).refusal())
        .isNotNull();
    assertThat(
            plugin()
                .decide(calls.create("v1", "namespaces", namespace("ns", "enforce", "baseline")))
                .refusal())
        .isNull();
  }

  private void pod(String name, String controller, String spec) {
    String owner =
        controller.isEmpty()
            ? ""
            : ",'ownerReferences':[{'uid':'" + controller + "','controller':true}]";
    objects.put(
        "v1",
        "pods",
        AdmissionCalls.object(
            "v1",
            "pods",
            "{'metadata':{'name':'%s','namespace':'ns'%s},%s}".formatted(name, owner, spec)));
  }

  private List<String> stricter(String... labels) {
    return plugin()
        .decide(calls.update("v1", "namespaces", namespace("ns", labels), namespace("ns")))
        .warnings();
  }

  @Test
  void namespace_thatGetsStricter_warnsOfItsPods() {
    pod("b", "", PRIVILEGED);
    pod("a", "", PRIVILEGED);
    pod("c", "", PRIVILEGED);
    pod("host", "", "'spec':{'hostNetwork':true,'containers':[{'name':'c'}]}");
    pod("ok", "", PLAIN);

    assertThat(stricter("enforce", "baseline"))
        .containsExactly(
            "existing pods in namespace \"ns\" violate the new PodSecurity enforce level"
                + " \"baseline:latest\"",
            "a (and 2 other pods): privileged",
            "host: host namespaces");
    assertThat(stricter("enforce", "privileged", "warn", "restricted")).isEmpty();
    assertThat(
            plugin()
                .decide(
                    calls.update(
                        "v1",
                        "namespaces",
                        namespace("ns", "enforce", "baseline"),
                        namespace("ns", "enforce", "restricted")))
                .warnings())
        .isEmpty();
  }

  @Test
  void namespace_withManyPods_checksOneOfEachControllerFirst() {
    for (int i = 0; i < NamespacePods.MOST_PODS; i++) {
      pod("replica-" + i, "set", PLAIN);
    }
    pod("zz", "", PRIVILEGED);

    assertThat(stricter("enforce", "baseline"))
        .containsExactly(
            "new PodSecurity enforce level only checked against the first 3000 of 3001 existing"
                + " pods",
            "existing pods in namespace \"ns\" violate the new PodSecurity enforce level"
                + " \"baseline:latest\"",
            "zz: privileged");
  }

  @Test
  void namespace_whoseCheckTakesTooLong_saysHowManyPodsWereChecked() {
    pod("a", "", PRIVILEGED);
    pod("b", "", PRIVILEGED);
    pod("c", "", PRIVILEGED);
    NamespacePods slow =
        new NamespacePods(Set.of(), () -> clock.addAndGet(NamespacePods.LONGEST.toNanos() / 4));
    LevelVersion baseline = new LevelVersion(Level.BASELINE, PolicyVersion.LATEST);

    List<String> warnings =
        slow.warnings("ns", baseline, objects.list(GroupVersion.CORE_V1.resource("pods"), "ns"));

    assertThat(warnings)
        .containsExactly(
            "new PodSecurity enforce level only checked against the first 2 of 3 existing pods",
            "existing pods in namespace \"ns\" violate the new PodSecurity enforce level"
                + " \"baseline:latest\"",
            "a (and 1 other pod): privileged");
  }

  @Test
  void namespace_thatIsExempt_warnsThatItsPolicyIsIgnored() {
    configuration =
        PodSecurityConfiguration.of(
            AdmissionCalls.tree(
                "{'apiVersion':'pod-security.admission.config.k8s.io/v1beta1','kind':'PodSecurityConfiguration','exemptions':{'namespaces':['kube-system']}}"));
    ApiObject labelled =
        namespace(
            "kube-system", "enforce", "baseline", "warn", "restricted", "warn-version", "v1.20");

    assertThat(plugin().decide(calls.create("v1", "namespaces", labelled)).warnings())
        .containsExactly(
            "namespace \"kube-system\" is exempt from Pod Security, and the policy"
                + " (enforce=baseline:latest, warn=restricted:v1.20) will be ignored");
    assertThat(
            plugin()
                .decide(
                    calls.create(
                        "v1", "namespaces", namespace("kube-system", "warn", "privileged")))
                .warnings())
        .isEmpty();
  }

  @Test
  void configuration_givesTheDefaults() {
    configuration =
        PodSecurityConfiguration.of(
            AdmissionCalls.tree(
                "{'apiVersion':'pod-security.admission.config.k8s.io/v1',"
                    + "'kind':'PodSecurityConfiguration','defaults':{'enforce':'baseline',"
                    + "'enforce-version':'v1.30','warn':'restricted'}}"));
    existing("ns");

    assertThat(refusal(create(PRIVILEGED))).contains("\"baseline:v1.30\"");
    assertThat(create(PLAIN).warnings()).hasSize(1);
    existing("ns", "enforce", "privileged");
    assertThat(create(PRIVILEGED).refusal()).isNull();
  }

  @Test
  void configuration_thatIsInvalid_isRefused() {
    assertThatThrownBy(
            () ->
                PodSecurityConfiguration.of(
                    AdmissionCalls.tree(
                        "{'apiVersion':'pod-security.admission.config.k8s.io/v1alpha1','kind':'PodSecurityConfiguration','defaults':{'enforce':'no','audit-version':'1'},'exemptions':"
                            + "{'namespaces':['A','b','b'],'usernames':[''],"
                            + "'runtimeClasses':['x_y']}}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "defaults.enforce: Invalid value: \"no\": must be one of privileged, baseline,"
                + " restricted")
        .hasMessageContaining("defaults.audit-version: Invalid value: \"1\": must be \"latest\"")
        .hasMessageContaining("exemptions.namespaces[0]: Invalid value: \"A\"")
        .hasMessageContaining("exemptions.namespaces[2]: Duplicate value: \"b\"")
        .hasMessageContaining("exemptions.usernames[0]: Required value")
        .hasMessageContaining("exemptions.runtimeClasses[0]: Invalid value: \"x_y\"");
    assertThatThrownBy(
            () ->
                PodSecurityConfiguration.of(
                    AdmissionCalls.tree(
                        "{'apiVersion':'pod-security.admission.config.k8s.io/v1','kind':'PodSecurityConfiguration','deflaults':{}}")))
        .hasMessage("strict decoding error: unknown field \"deflaults\"");
    assertThatThrownBy(
            () ->
                PodSecurityConfiguration.of(AdmissionCalls.tree("{'apiVersion':'v1','kind':'A'}")))
        .hasMessage("no kind \"A\" is registered for version \"v1\"");
  }

  @ParameterizedTest
  @CsvSource({"v1.0,0", "v1.35,35", "v1.999,999", "latest,2147483647"})
  void version_isReadAsPrinted(String text, int minor) {
    assertThat(PolicyVersion.of(text)).contains(new PolicyVersion(minor));
    assertThat(new PolicyVersion(minor)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "v1", "1.2", "v2.0", "v1.01", "v1.-1", "LATEST", "v1.2.3", "v1.9999999999"})
  void version_ofAnotherForm_isNone(String text) {
    assertThat(PolicyVersion.of(text)).isEmpty();
  }
}
