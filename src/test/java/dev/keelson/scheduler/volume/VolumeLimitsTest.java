package dev.keelson.scheduler.volume;

import static dev.keelson.scheduler.volume.KnownVolumes.pod;
import static dev.keelson.scheduler.volume.KnownVolumes.use;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.scheduler.volume.KnownVolumes.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are cases of kube-scheduler's {@code nodevolumelimits/csi_test.go}. */
final class VolumeLimitsTest {

  private static final String EBS = "ebs.csi.aws.com";

  private final KnownVolumes known = new KnownVolumes();
  private final VolumeLimits limits = new VolumeLimits(known);

  @BeforeEach
  void objects() {
    for (int i = 1; i <= 4; i++) {
      bound("csi-" + i, "'csi':{'driver':'ebs.csi.aws.com','volumeHandle':'vol-" + i + "'}");
      bound("other-" + i, "'csi':{'driver':'csi.example.com','volumeHandle':'vol-" + i + "'}");
    }
    bound("same-as-1", "'csi':{'driver':'ebs.csi.aws.com','volumeHandle':'vol-1'}");
    bound("old-1", "'awsElasticBlockStore':{'volumeID':'aws://us-east-1a/vol-1'}");
    bound("old-5", "'awsElasticBlockStore':{'volumeID':'vol-5'}");
    bound("disk", "'gcePersistentDisk':{'pdName':'d'}");
    bound("nfs", "'nfs':{'server':'s','path':'/'}");
    bound("vsphere", "'vsphereVolume':{'volumePath':'p'}");
    known.claim("lost", "", "'volumeName':'gone','storageClassName':'ebs'");
    known.claim("unbound", "", "'storageClassName':'ebs'");
    known.claim("unbound-old", "", "'storageClassName':'in-tree'");
    known.claim("unbound-vsphere", "", "'storageClassName':'vsphere'");
    known.claim("no-class", "", "");
    known.claim("unknown-class", "", "'storageClassName':'gone'");
    known.claim("pod-data", owner("pod"), "'storageClassName':'ebs'");
    known.claim("b-data", owner("somebody"), "'storageClassName':'ebs'");
    known.storageClass("ebs", EBS, "WaitForFirstConsumer");
    known.storageClass("in-tree", "kubernetes.io/aws-ebs", "WaitForFirstConsumer");
    known.storageClass("vsphere", "kubernetes.io/vsphere-volume", "WaitForFirstConsumer");
  }

  private void bound(String name, String source) {
    known.volume(name, "", source);
    known.claim(name, "", "'volumeName':'" + name + "'");
  }

  private static String owner(String uid) {
    return ",'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'%s','controller':true}]"
        .formatted(uid);
  }

  /** Claims by their names, {@code +NAME} an ephemeral volume, {@code =ID} an in-line volume. */
  private static Pod user(String name, @Nullable String volumes) {
    String entries =
        volumes == null
            ? ""
            : Arrays.stream(volumes.split(" ", -1))
                .map(VolumeLimitsTest::entry)
                .collect(Collectors.joining(","));
    return pod(name, entries);
  }

  private static String entry(String volume) {
    return switch (volume.charAt(0)) {
      case '+' -> "{'name':'%s','ephemeral':{}}".formatted(volume.substring(1));
      case '=' ->
          "{'name':'v','awsElasticBlockStore':{'volumeID':'%s'}}".formatted(volume.substring(1));
      default -> use(volume);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fits: one of two                       | csi-1         | csi-2             | ebs.csi.aws.com=2 |          | false
          as many as the limit                   | csi-1         | csi-2 csi-3       | ebs.csi.aws.com=2 |          | true
          a limit of none                        | csi-1         |                   | ebs.csi.aws.com=0 |          | true
          volumes of another driver              | csi-1         | other-1 other-2   | ebs.csi.aws.com=2 |          | false
          a driver without a limit               | other-1       | other-2 other-3   | ebs.csi.aws.com=1 |          | false
          one of two drivers is full             | csi-1 other-1 | other-2           | ebs.csi.aws.com=9 csi.example.com=1 | | true
          a volume that is there already         | csi-1         | csi-1 csi-2       | ebs.csi.aws.com=2 |          | false
          the same volume by another claim       | same-as-1     | csi-1 csi-2       | ebs.csi.aws.com=2 |          | false
          two new ones                           | csi-1 csi-2   | csi-3             | ebs.csi.aws.com=2 |          | true
          two claims of one volume               | csi-1 same-as-1 | csi-2           | ebs.csi.aws.com=2 |          | false
          no limits                              | csi-1         | csi-2             |                   |          | false
          no volumes of drivers                  | nfs           | csi-2             | ebs.csi.aws.com=0 |          | false
          an unbound claim counts                | unbound       | csi-2 csi-3       | ebs.csi.aws.com=2 |          | true
          an unbound claim of another pod counts | csi-1         | unbound csi-3     | ebs.csi.aws.com=2 |          | true
          an unbound claim that is there already | unbound       | unbound csi-3     | ebs.csi.aws.com=2 |          | false
          an unbound claim of a migrated plug-in | csi-1         | unbound-old csi-3 | ebs.csi.aws.com=2 |          | true
          a lost volume counts by its class      | csi-1         | lost csi-3        | ebs.csi.aws.com=2 |          | true
          a claim without a class                | csi-1         | no-class csi-3    | ebs.csi.aws.com=2 |          | false
          a claim of an unknown class            | csi-1         | unknown-class csi-3 | ebs.csi.aws.com=2 |        | false
          a missing claim of another pod         | csi-1         | gone csi-3        | ebs.csi.aws.com=2 |          | false
          a migrated volume                      | old-5         | csi-2 csi-3       | ebs.csi.aws.com=2 |          | true
          a migrated volume of the same name     | old-1         | csi-1 csi-3       | ebs.csi.aws.com=2 |          | false
          a migrated disk of GCE                 | disk          |                   | pd.csi.storage.gke.io=0 |    | true
          an in-line volume                      | =vol-5        | csi-2 csi-3       | ebs.csi.aws.com=2 |          | true
          an in-line volume of another pod       | csi-1         | =vol-5 csi-3      | ebs.csi.aws.com=2 |          | true
          volumes that no limit counts           | vsphere unbound-vsphere | csi-2   | csi.vsphere.vmware.com=0 |   | false
          an ephemeral volume                    | +data         | csi-2 csi-3       | ebs.csi.aws.com=2 |          | true
          the claim of somebody else             | csi-1         | +data csi-3       | ebs.csi.aws.com=2 |          | false
          an attachment of a pod that has gone   | csi-1         | csi-2             | ebs.csi.aws.com=2 | csi-3    | true
          an attachment of a pod that is here    | csi-1         | csi-2             | ebs.csi.aws.com=2 | csi-2    | false
          an attachment of a volume without CSI  | csi-1         | csi-2             | ebs.csi.aws.com=2 | old-5    | false
          an attachment of an unknown volume     | csi-1         | csi-2             | ebs.csi.aws.com=2 | gone     | false
          """)
  void exceeded(
      String name,
      String wanted,
      @Nullable String there,
      @Nullable String drivers,
      @Nullable String attached,
      boolean exceeded) {
    if (drivers != null) {
      known.node(
          "n",
          Arrays.stream(drivers.split(" ", -1))
              .map(each -> each.split("=", -1))
              .map(each -> "{'name':'%s','allocatable':{'count':%s}}".formatted(each[0], each[1]))
              .collect(Collectors.joining(",")));
    }
    if (attached != null) {
      known.attach("n", EBS, attached);
    }
    known.attach("another", EBS, "csi-4");

    assertThat(
            limits.exceeded("n", limits.attachable(user("pod", wanted)), List.of(user("b", there))))
        .as(name)
        .isEqualTo(exceeded);
  }
}
