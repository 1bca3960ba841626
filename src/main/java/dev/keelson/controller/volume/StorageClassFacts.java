package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the binder and the scheduler keep of a StorageClass.
 *
 * @param waits whether claims are bound when a pod uses them
 * @param isDefault whether claims without a class get it
 * @param topology where volumes can be made
 */
public record StorageClassFacts(
    String name,
    String provisioner,
    boolean waits,
    boolean isDefault,
    Instant created,
    AllowedTopology topology) {

  /** Informers of StorageClasses. */
  public static final InformerType<StorageClassFacts> TYPE =
      new InformerType<>(
          new GroupVersion("storage.k8s.io", "v1").resource("storageclasses"),
          StorageClassFacts::of,
          List.of());

  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
  private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";
  private static final String OLD_DEFAULT = "storageclass.beta.kubernetes.io/is-default-class";

  /** What is kept of an object. */
  public static StorageClassFacts of(ApiObject object) {
    Map<String, String> annotations = object.meta().annotations();
    return new StorageClassFacts(
        object.meta().name(),
        object.root().text("provisioner"),
        object.root().text("volumeBindingMode").equals("WaitForFirstConsumer"),
        "true".equals(annotations.get(DEFAULT)) || "true".equals(annotations.get(OLD_DEFAULT)),
        Times.instant(object.meta().creationTimestamp()),
        AllowedTopology.of(object.root()));
  }

  /** Whether its volumes are all made by administrators. */
  public boolean isStatic() {
    return provisioner.equals(NO_PROVISIONER);
  }

  /** The class of claims without one: the newest, and the first by name of those. */
  static Optional<StorageClassFacts> defaultOf(Collection<StorageClassFacts> classes) {
    return classes.stream()
        .filter(StorageClassFacts::isDefault)
        .min(
            Comparator.comparing(StorageClassFacts::created)
                .reversed()
                .thenComparing(StorageClassFacts::name));
  }
}
