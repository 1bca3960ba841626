package dev.keelson.schema.conversion;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import org.jspecify.annotations.Nullable;

/** Converts objects between versions. Safe for use by several threads. */
public final class VersionConverter {

  private final VersionConversion autoscaler;

  /**
   * A converter.
   *
   * @param json reads and writes the annotations that carry what an old version has no field for
   */
  public VersionConverter(ObjectJson json) {
    autoscaler = new AutoscalerConversion(json);
  }

  /**
   * The same object in version {@code to}, fields in no special order. Kinds without a conversion
   * keep their fields.
   */
  public ApiObject convert(ApiObject object, GroupVersionKind from, GroupVersionKind to) {
    MapNode root = object.root();
    VersionConversion pair = pair(from, to);
    if (pair != null) {
      root = pair.toNew(root);
    } else {
      pair = pair(to, from);
      root = pair == null ? root : pair.toOld(root);
    }
    return new ApiObject(root).withType(to.apiVersion(), to.kind());
  }

  /**
   * Whether the two differ in nothing but their name, so that the bytes of one are the bytes of the
   * other: fields, their order, and what is written when they are empty.
   */
  public boolean sameShape(GroupVersionKind from, GroupVersionKind to) {
    return from.equals(to)
        || (kind("CronJob", from, to)
            && (versions("batch/v1beta1", from, "batch/v1", to)
                || versions("batch/v1", from, "batch/v1beta1", to)));
  }

  private @Nullable VersionConversion pair(GroupVersionKind old, GroupVersionKind current) {
    if (!old.kind().equals(current.kind())) {
      return null;
    }
    return switch (old.kind()) {
      case "Deployment" ->
          known(DeploymentConversion.INSTANCE, "extensions/v1beta1", old, "apps/v1", current);
      case "DaemonSet" ->
          known(DaemonSetConversion.INSTANCE, "extensions/v1beta1", old, "apps/v1", current);
      case "ReplicaSet" ->
          known(ReplicaSetConversion.INSTANCE, "extensions/v1beta1", old, "apps/v1", current);
      case "Ingress" ->
          known(
              IngressConversion.INSTANCE,
              "extensions/v1beta1",
              old,
              "networking.k8s.io/v1",
              current);
      case "Scale" ->
          known(ScaleConversion.INSTANCE, "extensions/v1beta1", old, "autoscaling/v1", current);
      case "Event" -> known(EventConversion.INSTANCE, "v1", old, "events.k8s.io/v1", current);
      case "HorizontalPodAutoscaler" ->
          known(autoscaler, "autoscaling/v1", old, "autoscaling/v2", current);
      default -> null;
    };
  }

  private static @Nullable VersionConversion known(
      VersionConversion pair,
      String oldVersion,
      GroupVersionKind old,
      String newVersion,
      GroupVersionKind current) {
    return versions(oldVersion, old, newVersion, current) ? pair : null;
  }

  private static boolean versions(
      String first, GroupVersionKind from, String second, GroupVersionKind to) {
    return from.apiVersion().equals(first) && to.apiVersion().equals(second);
  }

  private static boolean kind(String kind, GroupVersionKind from, GroupVersionKind to) {
    return from.kind().equals(kind) && to.kind().equals(kind);
  }
}
