package dev.keelson.controller.volume;

import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A volume as its CSI driver names it.
 *
 * @param driver the name of the driver
 * @param handle the name of the volume at the driver
 * @param translated whether it was written for a plug-in that the driver has replaced
 */
public record CsiVolume(String driver, String handle, boolean translated) {

  private static final String PORTWORX = "pxd.portworx.com";
  private static final String CINDER = "cinder.csi.openstack.org";
  private static final String AZURE_DISK = "disk.csi.azure.com";
  private static final String GCE = "pd.csi.storage.gke.io";
  private static final String EBS = "ebs.csi.aws.com";

  /** Separates the zones of a volume that is in several. */
  private static final String ZONES = "__";

  /**
   * The drivers of plug-ins by the name of the provisioner; empty for those whose volumes no limit
   * counts (source: {@code isCSIMigrationOn} of kube-scheduler and {@code csi-translation-lib}).
   */
  private static final Map<String, String> MIGRATED =
      Map.of(
          "kubernetes.io/aws-ebs", EBS,
          "kubernetes.io/gce-pd", GCE,
          "kubernetes.io/azure-disk", AZURE_DISK,
          "kubernetes.io/cinder", CINDER,
          "kubernetes.io/portworx-volume", PORTWORX,
          "kubernetes.io/azure-file", "",
          "kubernetes.io/vsphere-volume", "");

  /** The driver of a provisioner; empty if its volumes are not counted. */
  public static String driverOf(String provisioner) {
    return MIGRATED.getOrDefault(provisioner, provisioner);
  }

  /** The volume of the spec of a PersistentVolume; null if no driver attaches it. */
  static @Nullable CsiVolume of(ObjectMeta meta, MapNode spec) {
    if (spec.has("csi")) {
      MapNode csi = spec.map("csi");
      return new CsiVolume(csi.text("driver"), csi.text("volumeHandle"), false);
    }
    return translated(spec, place(meta.labels()));
  }

  /** The volume of an entry of a pod; null if no driver attaches it, or it is known by a claim. */
  public static @Nullable CsiVolume inline(MapNode volume) {
    return translated(volume, "zones/UNSPECIFIED");
  }

  private static @Nullable CsiVolume translated(MapNode source, String place) {
    if (source.has("awsElasticBlockStore")) {
      String id = source.map("awsElasticBlockStore").text("volumeID");
      // aws://ZONE/ID is another way to write it
      return old(EBS, id.substring(id.lastIndexOf('/') + 1));
    }
    if (source.has("gcePersistentDisk")) {
      String name = source.map("gcePersistentDisk").text("pdName");
      return old(GCE, "projects/UNSPECIFIED/" + place + "/disks/" + name);
    }
    if (source.has("azureDisk")) {
      return old(AZURE_DISK, source.map("azureDisk").text("diskURI"));
    }
    if (source.has("cinder")) {
      return old(CINDER, source.map("cinder").text("volumeID"));
    }
    return source.has("portworxVolume")
        ? old(PORTWORX, source.map("portworxVolume").text("volumeID"))
        : null;
  }

  private static CsiVolume old(String driver, String handle) {
    return new CsiVolume(driver, handle, true);
  }

  /** Where a disk of GCE is. */
  private static String place(Map<String, String> labels) {
    String zone =
        labels.getOrDefault(
            "topology.kubernetes.io/zone",
            labels.getOrDefault("failure-domain.beta.kubernetes.io/zone", ""));
    if (zone.isEmpty()) {
      return "zones/UNSPECIFIED";
    }
    int first = zone.indexOf(ZONES);
    int hyphen = zone.lastIndexOf('-', first < 0 ? zone.length() : first);
    // a zone is its region with a letter: us-central1-a
    return first < 0
        ? "zones/" + zone
        : "regions/" + (hyphen < 0 ? zone : zone.substring(0, hyphen));
  }
}
