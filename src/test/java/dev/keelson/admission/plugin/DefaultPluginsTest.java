package dev.keelson.admission.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import dev.keelson.testing.LocalApi;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small plugins: each alone in a chain, as the registry runs it. */
@Timeout(60)
class DefaultPluginsTest {

  private final KnownObjects objects = new KnownObjects();
  private final AdmissionCalls calls = new AdmissionCalls();
  private Authorizer authorizer = AlwaysAuthorizer.ALWAYS_ALLOW;

  private Admission chain(PluginName name) {
    return PluginChain.of(
        new PluginOptions(EnumSet.of(name), 300, 300),
        objects,
        authorizer,
        RandomGenerator.getDefault(),
        Map.of());
  }

  private static ApiObject object(String version, String resource, String json) {
    return AdmissionCalls.object(version, resource, json);
  }

  private String mutated(PluginName name, AdmissionAttributes call) {
    return LocalApi.json(chain(name).mutate(call, Objects.requireNonNull(call.object())).root());
  }

  private void known(String version, String resource, String json) {
    objects.put(version, resource, object(version, resource, json));
  }

  @Test
  void plugins_areThoseOfKubernetes136InItsOrder() {
    assertThat(Arrays.stream(PluginName.values()).map(PluginName::text))
        .containsExactly(
            "AlwaysAdmit",
            "NamespaceAutoProvision",
            "NamespaceLifecycle",
            "NamespaceExists",
            "LimitPodHardAntiAffinityTopology",
            "LimitRanger",
            "ServiceAccount",
            "NodeRestriction",
            "TaintNodesByCondition",
            "AlwaysPullImages",
            "ImagePolicyWebhook",
            "PodSecurity",
            "PodNodeSelector",
            "Priority",
            "DefaultTolerationSeconds",
            "PodTolerationRestriction",
            "EventRateLimit",
            "ExtendedResourceToleration",
            "DefaultStorageClass",
            "StorageObjectInUseProtection",
            "PodGroupProtection",
            "OwnerReferencesPermissionEnforcement",
            "PersistentVolumeClaimResize",
            "RuntimeClass",
            "CertificateApproval",
            "CertificateSigning",
            "ClusterTrustBundleAttest",
            "CertificateSubjectRestriction",
            "DefaultIngressClass",
            "DenyServiceExternalIPs",
            "PodTopologyLabels",
            "PodGroupWorkloadExists",
            "NodeDeclaredFeatureValidator",
            "JobValidation",
            "PodResizeValidator",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionWebhook",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionWebhook",
            "ResourceQuota",
            "AlwaysDeny");
  }

  @Test
  void defaults_areAllButThoseThatKubernetes136NamesAsOff() {
    assertThat(
            EnumSet.complementOf(EnumSet.copyOf(PluginName.defaults())).stream()
                .map(PluginName::text))
        .containsExactlyInAnyOrder(
            "AlwaysAdmit",
            "AlwaysDeny",
            "AlwaysPullImages",
            "DenyServiceExternalIPs",
            "EventRateLimit",
            "ExtendedResourceToleration",
            "ImagePolicyWebhook",
            "LimitPodHardAntiAffinityTopology",
            "NamespaceAutoProvision",
            "NamespaceExists",
            "NodeRestriction",
            "OwnerReferencesPermissionEnforcement",
            "PodNodeSelector",
            "PodTolerationRestriction");
  }

  @Test
  void claimsVolumesAndClasses_getTheirFinalizerOnce() {
    ApiObject attributes =
        object("storage.k8s.io/v1", "volumeattributesclasses", "{'metadata':{'name':'a'}}");
    assertThat(
            mutated(
                PluginName.STORAGE_OBJECT_IN_USE_PROTECTION,
                calls.create("storage.k8s.io/v1", "volumeattributesclasses", attributes)))
        .contains("'finalizers':['kubernetes.io/vac-protection']");
    ApiObject claim =
        object("v1", "persistentvolumeclaims", "{'metadata':{'name':'c','namespace':'n'}}");
    ApiObject volume =
        object("v1", "persistentvolumes", "{'metadata':{'name':'v','finalizers':['a/b']}}");

    assertThat(
            mutated(
                PluginName.STORAGE_OBJECT_IN_USE_PROTECTION,
                calls.create("v1", "persistentvolumeclaims", claim)))
        .contains("'finalizers':['kubernetes.io/pvc-protection']");
    String protectedVolume =
        mutated(
            PluginName.STORAGE_OBJECT_IN_USE_PROTECTION,
            calls.create("v1", "persistentvolumes", volume));
    assertThat(protectedVolume).contains("'finalizers':['a/b','kubernetes.io/pv-protection']");
    assertThat(
            mutated(
                PluginName.STORAGE_OBJECT_IN_USE_PROTECTION,
                calls.create(
                    "v1", "persistentvolumes", object("v1", "persistentvolumes", protectedVolume))))
        .isEqualTo(protectedVolume);
    assertThat(
            chain(PluginName.STORAGE_OBJECT_IN_USE_PROTECTION)
                .handles(Verb.UPDATE, new GroupResource("", "persistentvolumes"), ""))
        .isFalse();
  }

  @Test
  void claim_getsTheNewestDefaultClassUnlessItNamesOne() {
    String marked =
        "{'metadata':{'name':'%s','creationTimestamp':'%s','annotations':"
            + "{'storageclass%s.kubernetes.io/is-default-class':'true'}}}";
    known(
        "storage.k8s.io/v1", "storageclasses", marked.formatted("old", "2026-01-01T00:00:00Z", ""));
    ApiObject claim = object("v1", "persistentvolumeclaims", "{'metadata':{},'spec':{}}");
    AdmissionAttributes call = calls.create("v1", "persistentvolumeclaims", claim);
    assertThat(mutated(PluginName.DEFAULT_STORAGE_CLASS, call))
        .contains("'storageClassName':'old'");

    known("storage.k8s.io/v1", "storageclasses", marked.formatted("z", "2026-02-01T00:00:00Z", ""));
    known(
        "storage.k8s.io/v1",
        "storageclasses",
        marked.formatted("new", "2026-02-01T00:00:00Z", ".beta"));

    assertThat(mutated(PluginName.DEFAULT_STORAGE_CLASS, call))
        .contains("'storageClassName':'new'");
    for (String named :
        new String[] {
          "{'metadata':{},'spec':{'storageClassName':''}}",
          "{'metadata':{'annotations':{'volume.beta.kubernetes.io/storage-class':'x'}},'spec':{}}"
        }) {
      assertThat(
              mutated(
                  PluginName.DEFAULT_STORAGE_CLASS,
                  calls.create(
                      "v1",
                      "persistentvolumeclaims",
                      object("v1", "persistentvolumeclaims", named))))
          .doesNotContain("new");
    }
  }

  @Test
  void ingress_getsTheDefaultClassUnlessItNamesOne() {
    known(
        "networking.k8s.io/v1",
        "ingressclasses",
        "{'metadata':{'name':'nginx','annotations':"
            + "{'ingressclass.kubernetes.io/is-default-class':'true'}}}");
    String version = "networking.k8s.io/v1";

    assertThat(
            mutated(
                PluginName.DEFAULT_INGRESS_CLASS,
                calls.create(version, "ingresses", object(version, "ingresses", "{'spec':{}}"))))
        .contains("'ingressClassName':'nginx'");
    assertThat(
            mutated(
                PluginName.DEFAULT_INGRESS_CLASS,
                calls.create(
                    version,
                    "ingresses",
                    object(
                        version,
                        "ingresses",
                        "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'x'}}}"))))
        .doesNotContain("nginx");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Bound | s | true | 2Gi | ",
        "Bound | s | true | 500Mi | ",
        "Pending | s | true | 2Gi | Only bound persistent volume claims can be expanded",
        "Bound | s | false | 2Gi | only dynamically provisioned pvc can be resized",
        "Bound | t | true | 2Gi | only dynamically provisioned pvc can be resized"
      })
  void claim_growsIfBoundAndItsClassAllows(
      String phase, String name, String allowed, String size, String problem) {
    known(
        "storage.k8s.io/v1",
        "storageclasses",
        "{'metadata':{'name':'s'},'allowVolumeExpansion':%s}".formatted(allowed));
    String json =
        "{'metadata':{'name':'c','namespace':'n'},'spec':{'storageClassName':'%s','resources':"
            + "{'requests':{'storage':'%s'}}},'status':{'phase':'%s'}}";
    AdmissionAttributes call =
        calls.update(
            "v1",
            "persistentvolumeclaims",
            object("v1", "persistentvolumeclaims", json.formatted(name, size, phase)),
            object("v1", "persistentvolumeclaims", json.formatted(name, "1Gi", phase)));

    Admission plugin = chain(PluginName.PERSISTENT_VOLUME_CLAIM_RESIZE);
    if (problem == null) {
      plugin.validate(call);
    } else {
      assertThatThrownBy(() -> plugin.validate(call))
          .isInstanceOf(ApiException.class)
          .hasMessageStartingWith("persistentvolumeclaims \"c\" is forbidden: " + problem);
    }
  }

  @Test
  void node_getsTheTaintOfNodesThatAreNotReady() {
    String tainted =
        mutated(
            PluginName.TAINT_NODES_BY_CONDITION,
            calls.create("v1", "nodes", object("v1", "nodes", "{'metadata':{'name':'n'}}")));

    assertThat(tainted)
        .contains("'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}]");
    assertThat(
            mutated(
                PluginName.TAINT_NODES_BY_CONDITION,
                calls.create("v1", "nodes", object("v1", "nodes", tainted))))
        .isEqualTo(tainted);
  }

  @Test
  void pod_getsTheTopologyOfItsNode() {
    known(
        "v1",
        "nodes",
        "{'metadata':{'name':'n','labels':{'topology.kubernetes.io/zone':'z','a':'b',"
            + "'topology.kubernetes.io/region':'r'}}}");
    ApiObject binding =
        new ApiObject(
            AdmissionCalls.tree(
                "{'metadata':{'name':'p','labels':{'topology.kubernetes.io/zone':'own'}},"
                    + "'target':{'kind':'Node','name':'n'}}"));

    assertThat(
            mutated(
                PluginName.POD_TOPOLOGY_LABELS,
                calls.call(Verb.CREATE, "v1", "pods", "binding", binding, null)))
        .contains(
            "'labels':{'topology.kubernetes.io/zone':'z','topology.kubernetes.io/region':'r'}");
    assertThat(
            mutated(
                PluginName.POD_TOPOLOGY_LABELS,
                calls.create("v1", "pods", object("v1", "pods", "{'spec':{'nodeName':'n'}}"))))
        .contains("'topology.kubernetes.io/zone':'z'");
    assertThat(
            mutated(
                PluginName.POD_TOPOLOGY_LABELS,
                calls.create("v1", "pods", object("v1", "pods", "{'spec':{'nodeName':'none'}}"))))
        .doesNotContain("labels");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "linux | 1 | ",
        "linux | 3 | cpu, requested: 3000, allocatable: 2000",
        "linux | 3 | is forbidden: node didn't have enough allocatable resources: cpu, requested",
        "windows | 3 | pod resize is only supported on linux nodes, node \"n\" is \"windows\""
      })
  void pod_isResizedToWhatItsNodeHas(String system, String cpu, String problem) {
    known(
        "v1",
        "nodes",
        "{'metadata':{'name':'n','labels':{'kubernetes.io/os':'%s'}},'status':{'allocatable':{'cpu':'2','memory':'1Gi'}}}"
            .formatted(system));
    String json =
        "{'metadata':{'name':'p','namespace':'d','generation':%d},'spec':{'nodeName':'n',"
            + "'containers':[{'name':'c','resources':{'requests':{'cpu':'%s'}}}]}}";
    AdmissionAttributes call =
        calls.call(
            Verb.UPDATE,
            "v1",
            "pods",
            "resize",
            object("v1", "pods", json.formatted(2, cpu)),
            object("v1", "pods", json.formatted(1, "1")));

    Admission plugin = chain(PluginName.POD_RESIZE_VALIDATOR);
    if (problem == null) {
      plugin.validate(call);
    } else {
      assertThatThrownBy(() -> plugin.validate(call)).hasMessageContaining(problem);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | n | 'containers':[{'name':'c','resources':{'limits':{'cpu':'2'}}}] |",
        "2 | n |"
            + " 'initContainers':[{'name':'s','restartPolicy':'Always','resources':{'limits':{'cpu':'2'}}}]"
            + " |",
        "2 | n | 'initContainers':[{'name':'i','resources':{'limits':{'cpu':'2'}}}] |"
            + " InPlacePodVerticalScalingInitContainers",
        "2 | n | 'resources':{'limits':{'cpu':'2'}} | InPlacePodLevelResourcesVerticalScaling",
        "2 | able | 'resources':{'limits':{'cpu':'2'}} |",
        "2 | '' | 'resources':{'limits':{'cpu':'2'}} |",
        "1 | n | 'resources':{'limits':{'cpu':'2'}} |"
      },
      quoteCharacter = '"')
  void changeOfABoundPod_needsTheFeaturesThatItsNodeDeclares(
      int generation, String node, String changed, String missing) {
    known("v1", "nodes", "{'metadata':{'name':'n'},'status':{'declaredFeatures':['Other']}}");
    known(
        "v1",
        "nodes",
        "{'metadata':{'name':'able'},'status':{'declaredFeatures':['InPlacePodLevelResourcesVerticalScaling']}}");
    String json =
        "{'metadata':{'name':'p','namespace':'d','generation':%d},'spec':{'nodeName':'%s',%s}}";
    AdmissionAttributes call =
        calls.call(
            Verb.UPDATE,
            "v1",
            "pods",
            "resize",
            object("v1", "pods", json.formatted(generation, node.replace("'", ""), changed)),
            object(
                "v1",
                "pods",
                json.formatted(1, node.replace("'", ""), changed.replace("'2'", "'1'"))));

    Admission plugin = chain(PluginName.NODE_DECLARED_FEATURE_VALIDATOR);
    if (missing == null) {
      plugin.validate(call);
    } else {
      assertThatThrownBy(() -> plugin.validate(call))
          .hasMessage(
              "pods \"p\" is forbidden: pod update requires features "
                  + missing
                  + " which are not available on node \"n\"");
    }
  }

  @Test
  void changeOfAPodOfAMissingNode_isRejectedIfItNeedsAFeature() {
    String json =
        "{'metadata':{'name':'p','namespace':'d','generation':%d},"
            + "'spec':{'nodeName':'gone','resources':{'limits':{'cpu':'%d'}}}}";
    AdmissionAttributes call =
        calls.call(
            Verb.UPDATE,
            "v1",
            "pods",
            "resize",
            object("v1", "pods", json.formatted(2, 2)),
            object("v1", "pods", json.formatted(1, 1)));

    assertThatThrownBy(() -> chain(PluginName.NODE_DECLARED_FEATURE_VALIDATOR).validate(call))
        .hasMessage("pods \"p\" is forbidden: node \"gone\" not found");
  }

  @Test
  void certificates_needPermissionOnTheirSigner() {
    ApiObject request =
        object(
            "certificates.k8s.io/v1",
            "certificatesigningrequests",
            "{'metadata':{'name':'r'},'spec':{'signerName':'a.io/b'}}");
    ApiObject signed =
        object(
            "certificates.k8s.io/v1",
            "certificatesigningrequests",
            "{'metadata':{'name':'r'},'spec':{'signerName':'a.io/b'},'status':{'certificate':'eA=='}}");
    AdmissionAttributes approve = csr("approval", request, request);
    AdmissionAttributes sign = csr("status", signed, request);
    AdmissionAttributes touch = csr("status", request, request);

    chain(PluginName.CERTIFICATE_APPROVAL).validate(approve);
    chain(PluginName.CERTIFICATE_SIGNING).validate(sign);
    authorizer = AlwaysAuthorizer.ALWAYS_DENY;
    assertThatThrownBy(() -> chain(PluginName.CERTIFICATE_APPROVAL).validate(approve))
        .hasMessage(
            "certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: user not permitted"
                + " to approve requests with signerName \"a.io/b\"");
    assertThatThrownBy(() -> chain(PluginName.CERTIFICATE_SIGNING).validate(sign))
        .hasMessageContaining("user not permitted to sign requests with signerName \"a.io/b\"");
    chain(PluginName.CERTIFICATE_SIGNING).validate(touch);
  }

  private AdmissionAttributes csr(String subresource, ApiObject next, ApiObject current) {
    return calls.call(
        Verb.UPDATE,
        "certificates.k8s.io/v1",
        "certificatesigningrequests",
        subresource,
        next,
        current);
  }

  @Test
  void services_getNoNewExternalAddresses() {
    String json = "{'metadata':{'name':'s','namespace':'n'},'spec':{'externalIPs':[%s]}}";
    ApiObject none = object("v1", "services", json.formatted(""));
    ApiObject one = object("v1", "services", json.formatted("'1.2.3.4'"));
    Admission plugin = chain(PluginName.DENY_SERVICE_EXTERNAL_IPS);

    plugin.validate(calls.create("v1", "services", none));
    plugin.validate(calls.update("v1", "services", one, one));
    plugin.validate(calls.update("v1", "services", none, one));
    assertThatThrownBy(() -> plugin.validate(calls.update("v1", "services", one, none)))
        .hasMessage(
            "services \"s\" is forbidden: Use of external IPs is denied by admission control");
  }

  @Test
  void antiAffinity_isByHost() {
    String json =
        "{'metadata':{'name':'p'},'spec':{'affinity':{'podAntiAffinity':"
            + "{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'%s'}]}}}}";
    Admission plugin = chain(PluginName.LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY);

    plugin.validate(
        calls.create("v1", "pods", object("v1", "pods", json.formatted("kubernetes.io/hostname"))));
    assertThatThrownBy(
            () ->
                plugin.validate(
                    calls.create("v1", "pods", object("v1", "pods", json.formatted("az")))))
        .hasMessage(
            "pods \"p\" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has"
                + " TopologyKey az but only key kubernetes.io/hostname is allowed");
  }

  @Test
  void extendedResources_areTolerated() {
    String json =
        "{'spec':{'containers':[{'resources':{'requests':{'cpu':'1','b.io/gpu':'1'}}}],"
            + "'initContainers':[{'resources':{'requests':{'a.io/fpga':'1'}}}],"
            + "'tolerations':[{'key':'b.io/gpu','operator':'Exists','effect':'NoSchedule'}]}}";

    assertThat(
            mutated(
                PluginName.EXTENDED_RESOURCE_TOLERATION,
                calls.create("v1", "pods", object("v1", "pods", json))))
        .contains(
            "'tolerations':[{'key':'b.io/gpu','operator':'Exists','effect':'NoSchedule'},"
                + "{'key':'a.io/fpga','operator':'Exists','effect':'NoSchedule'}]");
  }
}
