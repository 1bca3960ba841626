package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Warnings about objects that are accepted, in Kubernetes' words. */
class WarningsTest extends RegistryTest {

  private static final String CONTAINER = "'containers':[{'name':'c','image':'i'}]";

  WarningsTest(@TempDir Path directory) {
    super(LocalApi.openStrict(directory));
  }

  private List<String> warnings(String version, String resource, String namespace, String json) {
    List<String> warnings = new ArrayList<>();
    StoredObject unused =
        api.registry()
            .create(
                api.collection(version, resource, namespace),
                api.object(version, resource, json),
                new WriteOptions(true, "test", WriteOptions.SERVER, warnings::add));
    return warnings;
  }

  private List<String> ofPod(String annotations, String spec) {
    return warnings(
        "v1",
        "pods",
        "default",
        "{'metadata':{'name':'p','annotations':{" + annotations + "}},'spec':{" + spec + "}}");
  }

  private List<String> ofService(String spec) {
    return warnings(
        "v1",
        "services",
        "default",
        "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]," + spec + "}}");
  }

  @Test
  void pod_withOldLabelsAndSelectors() {
    String term = "{'topologyKey':'zone'}";

    assertThat(
            ofPod(
                "",
                CONTAINER
                    + ",'nodeSelector':{'beta.kubernetes.io/os':'linux'},"
                    + "'topologySpreadConstraints':[{'maxSkew':1,'whenUnsatisfiable':"
                    + "'ScheduleAnyway','topologyKey':'failure-domain.beta.kubernetes.io/zone'}],"
                    + "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':["
                    + term
                    + "]}}"))
        .containsExactly(
            "spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use"
                + " \"kubernetes.io/os\" instead",
            "spec.topologySpreadConstraints[0].topologyKey:"
                + " failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use"
                + " \"topology.kubernetes.io/zone\" instead",
            "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in"
                + " matching no pod",
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]"
                + ".labelSelector: a null labelSelector results in matching no pod");
  }

  @Test
  void pod_withRemovedVolumesAndOldAnnotations() {
    assertThat(
            ofPod(
                "'scheduler.alpha.kubernetes.io/critical-pod':'',"
                    + "'container.seccomp.security.alpha.kubernetes.io/c':'runtime/default'",
                CONTAINER
                    + ",'volumes':[{'name':'g','gitRepo':{'repository':'r'}},"
                    + "{'name':'s','storageos':{'volumeName':'v'}},"
                    + "{'name':'r','rbd':{'monitors':['m'],'image':'i'}}]"))
        .containsExactly(
            "metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in"
                + " v1.16+; use the \"priorityClassName\" field instead",
            "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
            "spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+",
            "spec.volumes[2].rbd: deprecated in v1.28, non-functional in v1.31+",
            "metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]:"
                + " non-functional in v1.27+; use the \"seccompProfile\" field instead");
  }

  @Test
  void pod_withDuplicatesAndPorts() {
    assertThat(
            ofPod(
                "",
                "'containers':[{'name':'c','image':'i','ports':[{'containerPort':80,"
                    + "'hostIP':'127.0.0.1'},{'containerPort':80}],'env':[{'name':'A','value':'1'},"
                    + "{'name':'A','value':'$(A)2'},{'name':'A','value':'3'}]}],"
                    + "'hostAliases':[{'ip':'1.2.3.4'},{'ip':'1.2.3.4'}],"
                    + "'imagePullSecrets':[{'name':'a'},{'name':'a'}]"))
        .containsExactly(
            "spec.hostAliases[1].ip: duplicate ip \"1.2.3.4\"",
            "spec.imagePullSecrets[1].name: duplicate name \"a\"",
            "spec.containers[0].env[2]: hides previous definition of \"A\", which may be dropped"
                + " when using apply",
            "spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0"
                + " ContainerPort:80 Protocol:TCP HostIP:127.0.0.1}",
            "spec.containers[0].ports[1]: overlapping port definition with"
                + " spec.containers[0].ports[0]");
  }

  @Test
  void filesThatHideEachOther() {
    assertThat(
            ofPod(
                "",
                "'serviceAccountName':'a','containers':[{'name':'c','image':'i'}],'volumes':["
                    + "{'name':'v','configMap':{'name':'m','items':[{'key':'a','path':'x'},"
                    + "{'key':'b','path':'x/y'},{'key':'c','path':'z'},{'key':'d','path':'zz'}]}},"
                    + "{'name':'w','secret':{'secretName':'s','items':[{'key':'a','path':'b/c/'},"
                    + "{'key':'b','path':'b/c'},{'key':'c','path':'d'}]}},"
                    + "{'name':'p','projected':{'sources':[{},"
                    + "{'configMap':{'name':'m','items':[{'key':'a','path':'t'}]}},"
                    + "{'serviceAccountToken':{'path':'t'}}]}}]"))
        .containsExactly(
            "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"x/y\" with \"x\"",
            "volume \"w\" (Secret \"s\"): overlapping paths: \"b/c\" with \"b/c\"",
            "volume \"p\" (Projected) has no sources provided",
            "volume \"p\" (Projected): overlapping paths: \"t\" (ServiceAccountToken) with \"t\""
                + " (ConfigMap \"m\")");
  }

  @Test
  void namesOfPorts_valuesOfPreferredLabels_andFormsOfAddresses() {
    assertThat(
            ofPod(
                "",
                "'containers':[{'name':'c','image':'i','ports':[{'containerPort':80,'name':'web'}]},"
                    + "{'name':'d','image':'i','ports':[{'containerPort':81,'name':'web'}]}],"
                    + "'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution'"
                    + ":[{'weight':1,'preference':{'matchExpressions':[{'key':'a','operator':'In',"
                    + "'values':['ok','-']}]}}]}},'dnsConfig':{'nameservers':['2001:DB8::1']},"
                    + "'hostAliases':[{'ip':'2001:db8:0::1','hostnames':['a']}]"))
        .containsExactly(
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
                + ".preference.matchExpressions[0].values[1]: - is invalid, a valid label must be"
                + " an empty string or consist of alphanumeric characters, '-', '_' or '.', and"
                + " must start and end with an alphanumeric character (e.g. 'MyValue',  or"
                + " 'my_value',  or '12345', regex used for validation is"
                + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
            "spec.containers[1].ports[0]: duplicate port name \"web\" with"
                + " spec.containers[0].ports[0], services and probes that select ports by name will"
                + " use spec.containers[0].ports[0]",
            "spec.dnsConfig.nameservers[0]: IPv6 address \"2001:DB8::1\" should be in RFC 5952"
                + " canonical format (\"2001:db8::1\")",
            "spec.hostAliases[0].ip: IPv6 address \"2001:db8:0::1\" should be in RFC 5952"
                + " canonical format (\"2001:db8::1\")");
  }

  @Test
  void service() {
    assertThat(ofService("'clusterIP':'None','sessionAffinity':'ClientIP','externalName':'x.y'"))
        .containsExactly(
            "spec.SessionAffinity is ignored for headless services",
            "spec.externalName is ignored when spec.type is not \"ExternalName\"");
    assertThat(ofService("'externalIPs':['1.2.3.4'],'trafficDistribution':'PreferClose'"))
        .containsExactly(
            "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
            "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
    assertThat(
            warnings(
                "v1",
                "services",
                "default",
                "{'metadata':{'name':'s','annotations':"
                    + "{'service.kubernetes.io/topology-aware-hints':'auto'}},"
                    + "'spec':{'ports':[{'port':80}]}}"))
        .containsExactly(
            "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use"
                + " service.kubernetes.io/topology-mode instead");
  }

  @Test
  void volumesClaimsAndClasses() {
    assertThat(
            warnings(
                "v1",
                "persistentvolumes",
                "",
                "{'metadata':{'name':'v','annotations':"
                    + "{'volume.beta.kubernetes.io/storage-class':'x'}},'spec':{'capacity':"
                    + "{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'cephfs':"
                    + "{'monitors':['m']}}}"))
        .containsExactly(
            "metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8;"
                + " use \"storageClassName\" attribute instead",
            "spec.cephfs: deprecated in v1.28, non-functional in v1.31+");
    assertThat(
            warnings(
                "v1",
                "persistentvolumeclaims",
                "default",
                "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'resources':"
                    + "{'requests':{'storage':'500m'}}}}"))
        .containsExactly(
            "spec.resources.requests[storage]: fractional byte value \"500m\" is invalid, must be"
                + " an integer");
    assertThat(
            warnings(
                "storage.k8s.io/v1",
                "storageclasses",
                "",
                "{'metadata':{'name':'c'},'provisioner':'p','allowedTopologies':"
                    + "[{'matchLabelExpressions':[{'key':'beta.kubernetes.io/arch',"
                    + "'values':['a']}]}]}"))
        .containsExactly(
            "allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.14; use"
                + " \"kubernetes.io/arch\" instead");
  }

  @Test
  void serviceAccount_thatEnforcesItsSecrets() {
    assertThat(
            warnings(
                "v1",
                "serviceaccounts",
                "default",
                "{'metadata':{'name':'a','annotations':"
                    + "{'kubernetes.io/enforce-mountable-secrets':'true'}}}"))
        .containsExactly(
            "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+;"
                + " prefer separate namespaces to isolate access to mounted secrets");
  }
}
