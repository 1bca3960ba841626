package dev.keelson.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.ManualClock;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluatorsTest {

  private static final GroupResource PODS = new GroupResource("", "pods");
  private static final GroupResource CLAIMS = new GroupResource("", "persistentvolumeclaims");
  private static final GroupResource SERVICES = new GroupResource("", "services");
  private static final GroupResource DEVICES =
      new GroupResource("resource.k8s.io", "resourceclaims");

  private final ManualClock clock = new ManualClock();
  private final Evaluators evaluators = new Evaluators(DeviceClasses.NONE, clock);

  private static ApiObject object(String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new ApiObject((MapNode) TreeJson.read(text));
  }

  private String usage(GroupResource resource, String json) {
    return evaluators.of(resource).usage(object(json)).toString();
  }

  private static ApiObject podOf(String spec) {
    return object("{'metadata':{'name':'p'},'spec':" + spec + "}");
  }

  private String podUsage(String spec) {
    return evaluators.of(PODS).usage(podOf(spec)).toString();
  }

  private static String container(String name, String requests, String limits) {
    return "{'name':'"
        + name
        + "','resources':{'requests':"
        + requests
        + ",'limits':"
        + limits
        + "}}";
  }

  @Test
  void podUsage_hasTheNamesOfQuotas() {
    assertThat(
            podUsage(
                "{'containers':["
                    + container(
                        "a",
                        "{'cpu':'1m','memory':'1Gi'}",
                        "{'cpu':'2m','ephemeral-storage':'3Ki'}")
                    + "]}"))
        .isEqualTo(
            "count/pods=1,cpu=1m,limits.cpu=2m,limits.ephemeral-storage=3Ki,memory=1Gi,"
                + "pods=1,requests.cpu=1m,requests.memory=1Gi");
    assertThat(
            podUsage(
                "{'containers':["
                    + container(
                        "a",
                        "{'hugepages-2Mi':'4Mi','example.com/gpu':'3','kubernetes.io/x':'1'}",
                        "{}")
                    + "]}"))
        .isEqualTo(
            "count/pods=1,hugepages-2Mi=4Mi,pods=1,requests.example.com/gpu=3,"
                + "requests.hugepages-2Mi=4Mi");
  }

  @Test
  void podUsage_countsSidecarsWithTheContainersAndWithLaterInitContainers() {
    String sidecar = "{'name':'s','restartPolicy':'Always','resources':{'requests':{'cpu':'1'}}}";
    String main = container("m", "{'cpu':'2'}", "{}");

    assertThat(
            podUsage(
                "{'initContainers':["
                    + container("i", "{'cpu':'4'}", "{}")
                    + "],'containers':["
                    + main
                    + ","
                    + main
                    + "]}"))
        .contains(",cpu=4,");
    assertThat(
            podUsage(
                "{'initContainers':["
                    + sidecar
                    + ","
                    + container("i", "{'cpu':'4'}", "{}")
                    + "],'containers':["
                    + main
                    + "]}"))
        .contains(",cpu=5,");
    assertThat(
            podUsage(
                "{'initContainers':["
                    + container("i", "{'cpu':'3'}", "{}")
                    + ","
                    + sidecar
                    + "],'containers':["
                    + main
                    + "]}"))
        .contains(",cpu=3,");
  }

  @Test
  void podUsage_addsOverheadToRequestsAndToExistingLimits() {
    assertThat(
            podUsage(
                "{'overhead':{'cpu':'1','memory':'1Mi'},'containers':["
                    + container("a", "{'cpu':'1'}", "{'cpu':'2'}")
                    + "]}"))
        .isEqualTo(
            "count/pods=1,cpu=2,limits.cpu=3,memory=1Mi,pods=1,requests.cpu=2,"
                + "requests.memory=1Mi");
  }

  @Test
  void podUsage_prefersResourcesOfThePod() {
    assertThat(
            podUsage(
                "{'resources':{'requests':{'cpu':'5'},'limits':{'memory':'1Gi'}},"
                    + "'containers':["
                    + container("a", "{'cpu':'1','memory':'2Mi'}", "{}")
                    + "]}"))
        .isEqualTo(
            "count/pods=1,cpu=5,limits.memory=1Gi,memory=2Mi,pods=1,requests.cpu=5,"
                + "requests.memory=2Mi");
  }

  @Test
  void podUsage_isAtLeastWhatTheNodeHasGranted() {
    String spec = "'spec':{'containers':[" + container("a", "{'cpu':'1'}", "{'cpu':'1'}") + "]}";
    String granted =
        "'containerStatuses':[{'name':'a','allocatedResources':{'cpu':'3'},"
            + "'resources':{'requests':{'cpu':'2'},'limits':{'cpu':'2'}}}]";

    assertThat(usage(PODS, "{" + spec + ",'status':{" + granted + "}}"))
        .isEqualTo("count/pods=1,cpu=3,limits.cpu=2,pods=1,requests.cpu=3");
    assertThat(
            usage(
                PODS,
                "{'spec':{'containers':["
                    + container("a", "{'cpu':'9'}", "{}")
                    + "]},'status':{"
                    + granted
                    + ",'conditions':[{'type':'PodResizePending','reason':'Infeasible'}]}}"))
        .contains(",cpu=3,");
  }

  @ParameterizedTest
  @CsvSource({"Failed,false", "Succeeded,false", "Running,true", "Pending,true", "Unknown,true"})
  void podUsage_ofAnEndedPodIsItsNumberInStorage(String phase, boolean charged) {
    assertThat(
            usage(
                PODS,
                "{'spec':{'containers':["
                    + container("a", "{'cpu':'1'}", "{}")
                    + "]},'status':{'phase':'"
                    + phase
                    + "'}}"))
        .isEqualTo(charged ? "count/pods=1,cpu=1,pods=1,requests.cpu=1" : "count/pods=1");
  }

  @Test
  void podUsage_endsWithTheGracePeriod() {
    String deleted =
        "{'metadata':{'deletionTimestamp':'"
            + clock.instant()
            + "','deletionGracePeriodSeconds':30}}";

    assertThat(usage(PODS, deleted)).isEqualTo("count/pods=1,pods=1");
    clock.advance(Duration.ofSeconds(31));
    assertThat(usage(PODS, deleted)).isEqualTo("count/pods=1");
  }

  @Test
  void missing_namesTheContainersWithoutALimitedResource() {
    Evaluator pods = evaluators.of(PODS);
    ApiObject pod =
        podOf(
            "{'containers':["
                + container("b", "{'memory':'1'}", "{}")
                + ","
                + container("a", "{}", "{'cpu':'1'}")
                + "],'initContainers':["
                + container("c", "{}", "{}")
                + "]}");

    assertThat(pods.missing(List.of("requests.memory", "limits.cpu", "pods", "hugepages-2Mi"), pod))
        .isEqualTo("must specify limits.cpu for: b,c; requests.memory for: a,c");
    assertThat(pods.missing(List.of("requests.ephemeral-storage", "pods"), pod)).isEmpty();
    assertThat(
            pods.missing(
                List.of("limits.cpu"),
                podOf("{'resources':{'limits':{'cpu':'1'}},'containers':[{'name':'a'}]}")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "pods,true",
    "count/pods,true",
    "requests.cpu,true",
    "hugepages-2Mi,true",
    "requests.hugepages-1Gi,true",
    "requests.example.com/gpu,true",
    "requests.deviceclass.resource.kubernetes.io/x,true",
    "requests.storage,false",
    "example.com/gpu,false",
    "requests.kubernetes.io/x,false",
    "services,false",
    "count/services,false"
  })
  void pods_countForTheirResources(String name, boolean counted) {
    assertThat(evaluators.of(PODS).matchingResources(List.of(name))).hasSize(counted ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Terminating|Exists||{'activeDeadlineSeconds':0}|true",
        "Terminating|Exists||{}|false",
        "NotTerminating|Exists||{}|true",
        "NotTerminating|Exists||{'activeDeadlineSeconds':3}|false",
        "BestEffort|Exists||{'containers':[{'resources':{'requests':{'example.com/x':'1'}}}]}|true",
        "BestEffort|Exists||{'containers':[{'resources':{'requests':{'cpu':'0'}}}]}|true",
        "BestEffort|Exists||{'containers':[{'resources':{'limits':{'memory':'1'}}}]}|false",
        "NotBestEffort|Exists||{'resources':{'requests':{'cpu':'1'}},'containers':[{}]}|true",
        "NotBestEffort|Exists||{'containers':[{}]}|false",
        "PriorityClass|Exists||{'priorityClassName':'high'}|true",
        "PriorityClass|Exists||{}|false",
        "PriorityClass|DoesNotExist||{}|true",
        "PriorityClass|In|high|{'priorityClassName':'high'}|true",
        "PriorityClass|In|low|{'priorityClassName':'high'}|false",
        "PriorityClass|NotIn|low|{'priorityClassName':'high'}|true",
        "PriorityClass|NotIn|low|{}|true",
        "VolumeAttributesClass|Exists||{}|false",
      })
  void podScopes_areThoseOfKubernetes(
      String scope, String operator, String value, String spec, boolean matches) {
    ScopeRequirement requirement =
        new ScopeRequirement(scope, operator, value == null ? List.of() : List.of(value));

    assertThat(evaluators.of(PODS).matches(requirement, podOf(spec))).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'namespaces':['a']}]}}|true",
        "{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'namespaceSelector':{}}]}}|true",
        "{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'podAffinityTerm':{'namespaces':['a']}}]}}|true",
        "{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'a'}]}}|false",
        "{}|false",
      })
  void crossNamespacePodAffinity_isATermWithNamespaces(String affinity, boolean matches) {
    assertThat(
            evaluators
                .of(PODS)
                .matches(
                    ScopeRequirement.exists("CrossNamespacePodAffinity"),
                    podOf("{'affinity':" + affinity + "}")))
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'ClusterIP','ports':[{}]}|0|0",
        "{'type':'NodePort','ports':[{},{}]}|0|2",
        "{'type':'LoadBalancer','ports':[{},{}]}|1|2",
        "{'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,'ports':[{},{'nodePort':3}]}|1|1",
        "{'type':'ExternalName'}|0|0",
      })
  void services_countTheirBalancersAndNodePorts(String spec, int balancers, int nodePorts) {
    assertThat(usage(SERVICES, "{'spec':" + spec + "}"))
        .isEqualTo(
            "count/services=1,services=1,services.loadbalancers="
                + balancers
                + ",services.nodeports="
                + nodePorts);
  }

  @ParameterizedTest
  @CsvSource({
    "ClusterIP,NodePort,true",
    "NodePort,LoadBalancer,true",
    "ClusterIP,ExternalName,false"
  })
  void services_replenishWhenTheirTypeChanges(String before, String after, boolean replenishes) {
    assertThat(
            evaluators
                .of(SERVICES)
                .replenishes(
                    object("{'spec':{'type':'" + before + "'}}"),
                    object("{'spec':{'type':'" + after + "'}}")))
        .isEqualTo(replenishes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'phase':'Running'|'phase':'Succeeded'|true",
        "'phase':'Running'|'phase':'Failed'|true",
        "'phase':'Succeeded'|'phase':'Failed'|false",
        "'phase':'Pending'|'phase':'Running'|false",
        "'containerStatuses':[{'name':'a','resources':{},'allocatedResources':{'cpu':'3'}}]"
            + "|'containerStatuses':[{'name':'a','resources':{},'allocatedResources':{'cpu':'2'}}]"
            + "|true",
        "'containerStatuses':[{'name':'a','resources':{'requests':{'cpu':'3'}}}]"
            + "|'containerStatuses':[{'name':'a','resources':{'requests':{'cpu':'2'}}}]|true",
        "'containerStatuses':[{'name':'a','resources':{},'allocatedResources':{'cpu':'2'}}]"
            + "|'containerStatuses':[{'name':'a','resources':{},'allocatedResources':{'cpu':'2'},"
            + "'ready':true}]|false",
      })
  void pods_replenishWhenTheyEnd_orAreResized(String before, String after, boolean replenishes) {
    String pod =
        "{'spec':{'containers':[{'name':'a','resources':{'requests':{'cpu':'1'}}}]},'status':{%s}}";
    assertThat(
            evaluators
                .of(PODS)
                .replenishes(object(pod.formatted(before)), object(pod.formatted(after))))
        .isEqualTo(replenishes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|{}|false",
        "{'status':{'phase':'Pending'}}|{'status':{'phase':'Bound'}}|false",
        "{'status':{'allocatedResources':{'storage':'3Gi'}}}"
            + "|{'status':{'allocatedResources':{'storage':'2Gi'}}}|true",
        "{'spec':{'volumeAttributesClassName':'a'}}|{'spec':{'volumeAttributesClassName':'b'}}|true",
        "{'spec':{'volumeAttributesClassName':'b'},'status':{'currentVolumeAttributesClassName':'a'}}"
            + "|{'spec':{'volumeAttributesClassName':'b'},"
            + "'status':{'currentVolumeAttributesClassName':'b'}}|true",
        "{'spec':{'volumeAttributesClassName':'a'}}"
            + "|{'spec':{'volumeAttributesClassName':'a'},"
            + "'status':{'currentVolumeAttributesClassName':'a'}}|false",
      })
  void claims_replenishWhenStorageOrClassChanges(String before, String after, boolean replenishes) {
    assertThat(evaluators.of(CLAIMS).replenishes(object(before), object(after)))
        .isEqualTo(replenishes);
  }

  @Test
  void claims_countStorageByClassInWholeBytes() {
    assertThat(
            usage(
                CLAIMS,
                "{'spec':{'storageClassName':'gold','resources':{'requests':{'storage':'1500m'}}}}"))
        .isEqualTo(
            "count/persistentvolumeclaims=1,gold.storageclass.storage.k8s.io/persistentvolumeclaims=1,"
                + "gold.storageclass.storage.k8s.io/requests.storage=2,persistentvolumeclaims=1,requests.storage=2");
    assertThat(
            usage(
                CLAIMS,
                "{'metadata':{'annotations':{'volume.beta.kubernetes.io/storage-class':'old'}},"
                    + "'spec':{'storageClassName':'gold'}}"))
        .isEqualTo(
            "count/persistentvolumeclaims=1,old.storageclass.storage.k8s.io/persistentvolumeclaims=1,"
                + "persistentvolumeclaims=1");
    assertThat(
            usage(
                CLAIMS,
                "{'spec':{'resources':{'requests':{'storage':'1Gi'}}},"
                    + "'status':{'allocatedResources':{'storage':'3Gi'}}}"))
        .endsWith("requests.storage=3Gi");
  }

  @Test
  void claims_haveTheScopesOfAllTheirAttributesClasses() {
    Evaluator claims = evaluators.of(CLAIMS);
    ApiObject claim =
        object(
            "{'spec':{'volumeAttributesClassName':'a'},'status':{'currentVolumeAttributesClassName':'b',"
                + "'modifyVolumeStatus':{'targetVolumeAttributesClassName':'c'}}}");

    for (String name : List.of("a", "b", "c")) {
      assertThat(
              claims.matches(
                  new ScopeRequirement("VolumeAttributesClass", "In", List.of(name)), claim))
          .isTrue();
    }
    assertThat(
            claims.matches(
                new ScopeRequirement("VolumeAttributesClass", "In", List.of("d")), claim))
        .isFalse();
    assertThat(
            claims.matches(
                new ScopeRequirement("VolumeAttributesClass", "DoesNotExist", List.of()),
                object("{}")))
        .isTrue();
  }

  @Test
  void deviceClaims_countTheMostDevicesOfEachClass() {
    assertThat(
            usage(
                DEVICES,
                "{'spec':{'devices':{'requests':["
                    + "{'name':'a','exactly':{'deviceClassName':'gpu','allocationMode':'ExactCount','count':2}},"
                    + "{'name':'b','exactly':{'deviceClassName':'nic','allocationMode':'All'}},"
                    + "{'name':'c','firstAvailable':["
                    + "{'deviceClassName':'gpu','allocationMode':'ExactCount','count':1},"
                    + "{'deviceClassName':'gpu','allocationMode':'ExactCount','count':4},"
                    + "{'deviceClassName':'tpu','allocationMode':'ExactCount','count':8}]}]}}}"))
        .isEqualTo(
            "count/resourceclaims.resource.k8s.io=1,"
                + "gpu.deviceclass.resource.k8s.io/devices=6,"
                + "nic.deviceclass.resource.k8s.io/devices=32,"
                + "requests.deviceclass.resource.kubernetes.io/gpu=6,"
                + "requests.deviceclass.resource.kubernetes.io/nic=32,"
                + "requests.deviceclass.resource.kubernetes.io/tpu=8,"
                + "tpu.deviceclass.resource.k8s.io/devices=8");
  }

  @Test
  void deviceClaims_countAsTheExtendedResourceOfTheirClassUnlessTheirPodDoes() {
    ApiObject pod =
        object(
            "{'metadata':{'name':'p','namespace':'n','uid':'u'},'spec':{'containers':["
                + container("a", "{'example.com/gpu':'1'}", "{}")
                + "]},"
                + "'status':{'extendedResourceClaimStatus':{'resourceClaimName':'c'}}}");
    Evaluator claims =
        new Evaluators(
                new DeviceClasses() {
                  @Override
                  public List<ApiObject> deviceClasses() {
                    return List.of(
                        object(
                            "{'metadata':{'name':'gpu'},'spec':{'extendedResourceName':'example.com/gpu'}}"));
                  }

                  @Override
                  public Optional<ApiObject> pod(String namespace, String name) {
                    return Optional.of(pod);
                  }

                  @Override
                  public List<ApiObject> claims(String namespace) {
                    return List.of();
                  }
                },
                clock)
            .of(DEVICES);
    String spec =
        "'spec':{'devices':{'requests':[{'exactly':{'deviceClassName':'gpu',"
            + "'allocationMode':'ExactCount','count':3}}]}}";

    assertThat(claims.usage(object("{'metadata':{'name':'c'}," + spec + "}")).toString())
        .contains("requests.example.com/gpu=3");
    assertThat(
            claims
                .usage(
                    object(
                        "{'metadata':{'name':'c','namespace':'n','annotations':"
                            + "{'resource.kubernetes.io/extended-resource-claim':'true'},"
                            + "'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p',"
                            + "'uid':'u','controller':true}]},"
                            + spec
                            + "}"))
                .toString())
        .contains("requests.example.com/gpu=2");
    assertThat(
            claims.matchingResources(
                List.of(
                    "requests.example.com/gpu",
                    "requests.example.com/other",
                    "gpu.deviceclass.resource.k8s.io/devices")))
        .containsExactly("requests.example.com/gpu", "gpu.deviceclass.resource.k8s.io/devices");
  }

  @Test
  void otherTypes_areCounted() {
    assertThat(usage(new GroupResource("", "secrets"), "{}"))
        .isEqualTo("count/secrets=1,secrets=1");
    assertThat(usage(new GroupResource("apps", "deployments"), "{}"))
        .isEqualTo("count/deployments.apps=1");
    assertThat(usage(new GroupResource("example.com", "secrets"), "{}"))
        .isEqualTo("count/secrets.example.com=1");
  }

  @ParameterizedTest
  @CsvSource({
    "pods,CREATE,'',true",
    "pods,UPDATE,'',false",
    "pods,UPDATE,resize,true",
    "pods,UPDATE,status,false",
    "services,UPDATE,'',true",
    "services,UPDATE,status,false",
    "persistentvolumeclaims,UPDATE,'',true",
    "persistentvolumeclaims,UPDATE,status,false",
    "secrets,CREATE,'',true",
    "secrets,UPDATE,'',false",
    "serviceaccounts,CREATE,token,false"
  })
  void handles_theWritesThatMayRaiseUsage(
      String resource, Verb operation, String subresource, boolean handled) {
    ApiObject object = object("{'spec':{}}");

    assertThat(
            evaluators
                .of(new GroupResource("", resource))
                .handles(operation, subresource, object, object))
        .isEqualTo(handled);
  }
}
