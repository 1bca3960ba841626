package dev.keelson.scheduler.volume;

import static dev.keelson.scheduler.volume.KnownVolumes.pod;
import static dev.keelson.scheduler.volume.KnownVolumes.use;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.CustomTypes;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rows are cases of kube-scheduler's {@code volume_zone_test.go}, {@code
 * volume_restrictions_test.go} and {@code volume_binding_test.go}.
 */
final class ClaimsTest {

  private static final String ONCE = "'accessModes':['ReadWriteOncePod'],";

  private final KnownVolumes known = new KnownVolumes();

  @BeforeEach
  void classes() {
    known.storageClass("waits", "csi.example.com", "WaitForFirstConsumer");
    known.storageClass("now", "csi.example.com", "Immediate");
  }

  private static Map<String, String> labels(@Nullable String text) {
    return text == null
        ? Map.of()
        : Arrays.stream(text.split(" ", -1))
            .map(each -> each.split("=", -1))
            .collect(Collectors.toMap(each -> key(each[0]), each -> each[1]));
  }

  private static String key(String word) {
    return switch (word) {
      case "zone" -> "topology.kubernetes.io/zone";
      case "region" -> "topology.kubernetes.io/region";
      case "old-zone" -> "failure-domain.beta.kubernetes.io/zone";
      case "old-region" -> "failure-domain.beta.kubernetes.io/region";
      default -> word;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the same zone                     | zone=a           | zone=a                 | false
          another zone                      | zone=a           | zone=b                 | true
          a node without labels             | zone=a           |                        | false
          a node with other labels          | zone=a           | disk=ssd               | false
          a volume without labels           |                  | zone=a                 | false
          one of several zones              | zone=a__b        | zone=b                 | false
          none of several zones             | zone=a__b        | zone=c                 | true
          a wrong label is ignored          | zone=a__         | zone=c                 | false
          a region of a node with a zone    | region=r         | zone=a                 | true
          zone and region                   | zone=a region=r  | zone=a region=r        | false
          another region                    | zone=a region=r  | zone=a region=s        | true
          an old label on a new node        | old-zone=a       | zone=a                 | false
          another old label on a new node   | old-zone=a       | zone=b                 | true
          an old region on a new node       | old-region=r     | region=r               | false
          a new label on an old node        | zone=a           | old-zone=a             | true
          """)
  void areElsewhere(
      String name, @Nullable String volume, @Nullable String node, boolean elsewhere) {
    String onVolume =
        labels(volume).entrySet().stream()
            .map(each -> "'%s':'%s'".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(","));
    known.volume("v", ",'labels':{" + onVolume + "}", "'nfs':{}");
    known.claim("c", "", "'volumeName':'v'");

    assertThat(Claims.of(pod("p", use("c")), known).areElsewhere(labels(node)))
        .as(name)
        .isEqualTo(elsewhere);
  }

  @Test
  void exclusiveClaim_isTakenByItsUser() {
    known.volume("v", "", "'nfs':{}");
    known.claim("once", "", ONCE + "'volumeName':'v'");
    known.claim("many", "", "'accessModes':['ReadWriteOnce'],'volumeName':'v'");

    VolumeNeeds needs = Claims.of(pod("p", use("once") + "," + use("many")), known);

    assertThat(needs.areExclusive()).isTrue();
    assertThat(needs.areTakenBy(pod("q", use("once")))).isTrue();
    assertThat(needs.areTakenBy(pod("q", use("many")))).isFalse();
    assertThat(needs.areTakenBy(pod("q", ""))).isFalse();
    assertThat(Claims.of(pod("p", use("many")), known).areExclusive()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          none      | persistentvolumeclaim "none" not found
          lost      | persistentvolume "gone" not found
          immediate | pod has unbound immediate PersistentVolumeClaims
          classless | pod has unbound immediate PersistentVolumeClaims
          deleting  | persistentvolumeclaim "deleting" is being deleted
          later     |
          """)
  void refusal(String claim, @Nullable String refusal) {
    known.claim("lost", "", "'volumeName':'gone'");
    known.claim("immediate", "", "'storageClassName':'now'");
    known.claim("classless", "", "");
    known.claim("deleting", ",'deletionTimestamp':'2026-01-01T00:00:00Z'", "");
    known.claim("later", "", "'storageClassName':'waits'");

    assertThat(Claims.of(pod("p", use(claim)), known).refusal())
        .isEqualTo(refusal == null ? "" : refusal);
  }

  @Test
  void ephemeralVolume_waitsForItsClaim() {
    assertThat(Claims.of(pod("p", "{'name':'data','ephemeral':{}}"), known).refusal())
        .isEqualTo(
            "waiting for ephemeral volume controller to create the persistentvolumeclaim"
                + " \"p-data\"");

    known.claim("p-data", "", "'storageClassName':'waits'");

    assertThat(Claims.of(pod("p", "{'name':'data','ephemeral':{}}"), known).refusal())
        .isEqualTo("PVC default/p-data was not created for pod default/p (pod is not owner)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'gcePersistentDisk':{'pdName':'d'} | 'gcePersistentDisk':{'pdName':'d'} | true
          'gcePersistentDisk':{'pdName':'d'} | 'gcePersistentDisk':{'pdName':'e'} | false
          'gcePersistentDisk':{'pdName':'d','readOnly':true} | 'gcePersistentDisk':{'pdName':'d','readOnly':true} | false
          'gcePersistentDisk':{'pdName':'d','readOnly':true} | 'gcePersistentDisk':{'pdName':'d'} | true
          'awsElasticBlockStore':{'volumeID':'d','readOnly':true} | 'awsElasticBlockStore':{'volumeID':'d','readOnly':true} | true
          'awsElasticBlockStore':{'volumeID':'d'} | 'awsElasticBlockStore':{'volumeID':'e'} | false
          'awsElasticBlockStore':{'volumeID':'d'} | 'gcePersistentDisk':{'pdName':'d'} | false
          'iscsi':{'targetPortal':'1','iqn':'d','lun':0} | 'iscsi':{'targetPortal':'2','iqn':'d','lun':1} | true
          'iscsi':{'iqn':'d','readOnly':true} | 'iscsi':{'iqn':'d','readOnly':true} | false
          'iscsi':{'iqn':'d'} | 'iscsi':{'iqn':'e'} | false
          'rbd':{'monitors':['a','b'],'pool':'p','image':'i'} | 'rbd':{'monitors':['b','c'],'pool':'p','image':'i'} | true
          'rbd':{'monitors':['a','b'],'pool':'p','image':'i'} | 'rbd':{'monitors':['c'],'pool':'p','image':'i'} | false
          'rbd':{'monitors':['a'],'pool':'p','image':'i'} | 'rbd':{'monitors':['a'],'pool':'p','image':'j'} | false
          'rbd':{'monitors':['a'],'pool':'p','image':'i'} | 'rbd':{'monitors':['a'],'pool':'q','image':'i'} | false
          'rbd':{'monitors':['a'],'pool':'p','image':'i','readOnly':true} | 'rbd':{'monitors':['a'],'pool':'p','image':'i','readOnly':true} | false
          'emptyDir':{} | 'emptyDir':{} | false
          """)
  void disks_conflict(String wanted, String there, boolean conflict) {
    assertThat(volumes(wanted).conflicts(volumes(there))).isEqualTo(conflict);
    assertThat(volumes(there).conflicts(volumes(wanted))).isEqualTo(conflict);
  }

  private static PodVolumes volumes(String source) {
    return PodVolumes.of(CustomTypes.tree("{'volumes':[{'name':'v'," + source + "}]}"), "p");
  }

  private static final String TAKEN = "node(s) didn't find available persistent volumes to bind";

  private String unreachable(String zone, String... claims) {
    String uses = Arrays.stream(claims).map(KnownVolumes::use).collect(Collectors.joining(","));
    return Claims.of(pod("p", uses), known).unreachable("n-" + zone, Map.of("zone", zone));
  }

  @Test
  void provisioner_makesVolumesWhereItsClassAllowsIt() {
    known.storageClass(
        "zonal",
        "csi.example.com",
        "WaitForFirstConsumer",
        "{'matchLabelExpressions':[{'key':'zone','values':['a','b']}]}");
    known.claim("c", "", "'storageClassName':'zonal'");

    assertThat(unreachable("a", "c")).isEmpty();
    assertThat(unreachable("c", "c")).isEqualTo(TAKEN);
  }

  /** Another node would be told to a provisioner that is at work already. */
  @Test
  void chosenNode_isKept() {
    known.claim(
        "c",
        ",'annotations':{'volume.kubernetes.io/selected-node':'n-a'}",
        "'storageClassName':'waits'");

    assertThat(unreachable("a", "c")).isEmpty();
    assertThat(unreachable("b", "c")).isEqualTo(TAKEN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          enough                  | a | 'capacity':'10Gi'                             |
          too little              | a | 'capacity':'1Gi'                              | node(s) did not have enough free storage
          no volume so large      | a | 'capacity':'10Gi','maximumVolumeSize':'1Gi'   | node(s) did not have enough free storage
          large enough            | a | 'capacity':'1Gi','maximumVolumeSize':'5Gi'    |
          elsewhere               | b | 'capacity':'10Gi'                             | node(s) did not have enough free storage
          """)
  void capacity(String name, String zone, String amounts, @Nullable String refusal) {
    known.claim("c", "", "'storageClassName':'waits','resources':{'requests':{'storage':'5Gi'}}");
    known.capacity("waits", "a", amounts);
    assertThat(unreachable(zone, "c")).as("not told by the driver").isEmpty();

    known.tracked("csi.example.com");

    assertThat(unreachable(zone, "c")).as(name).isEqualTo(refusal == null ? "" : refusal);
  }

  private void local(String name, String size, String zone) {
    known.volume(
        name,
        "",
        ("'storageClassName':'local','capacity':{'storage':'%s'},'nodeAffinity':{'required':{"
                + "'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone','operator':'In','values':['%s']}]}]}}")
            .formatted(size, zone));
  }

  @Test
  void eachClaim_needsAVolumeOfItsOwn() {
    known.storageClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
    known.claim(
        "small", "", "'storageClassName':'local','resources':{'requests':{'storage':'1Gi'}}");
    known.claim(
        "large", "", "'storageClassName':'local','resources':{'requests':{'storage':'3Gi'}}");
    local("a1", "2Gi", "a");
    local("a2", "4Gi", "a");
    local("b1", "4Gi", "b");

    assertThat(unreachable("a", "large", "small")).isEmpty();
    assertThat(unreachable("b", "large")).isEmpty();
    assertThat(unreachable("b", "large", "small")).isEqualTo(TAKEN);
    assertThat(unreachable("c", "small")).isEqualTo(TAKEN);
  }
}
