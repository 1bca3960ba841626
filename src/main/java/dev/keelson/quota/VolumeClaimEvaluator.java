package dev.keelson.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** PersistentVolumeClaims and the storage they request, also by storage class. */
final class VolumeClaimEvaluator implements Evaluator {

  private static final GroupResource CLAIMS = new GroupResource("", "persistentvolumeclaims");
  private static final String COUNT = Evaluator.countName(CLAIMS);
  private static final String NUMBER = "persistentvolumeclaims";
  private static final String STORAGE = "requests.storage";
  private static final String OF_CLASS = ".storageclass.storage.k8s.io/";
  private static final Set<String> NAMES = Set.of(COUNT, NUMBER, STORAGE);
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  @Override
  public GroupResource resource() {
    return CLAIMS;
  }

  @Override
  public boolean handles(
      Verb operation, String subresource, @Nullable ApiObject object, @Nullable ApiObject old) {
    return switch (subresource) {
      case "" -> operation == Verb.CREATE || operation == Verb.UPDATE;
      case "status" -> object != null && old != null && replenishes(old, object);
      default -> false;
    };
  }

  @Override
  public List<String> matchingResources(Collection<String> names) {
    return names.stream()
        .filter(
            name ->
                NAMES.contains(name)
                    || name.endsWith(OF_CLASS + NUMBER)
                    || name.endsWith(OF_CLASS + STORAGE))
        .toList();
  }

  @Override
  public boolean hasScopes() {
    return true;
  }

  @Override
  public boolean matches(ScopeRequirement requirement, ApiObject claim) {
    if (!requirement.scope().equals(ScopeRequirement.VOLUME_ATTRIBUTES_CLASS)) {
      return false;
    }
    Set<String> classes = attributesClasses(claim);
    return classes.isEmpty()
        ? requirement.accepts(null)
        : classes.stream().anyMatch(requirement::accepts);
  }

  /** The classes that the claim asks for, has, and is changing to. */
  private static Set<String> attributesClasses(ApiObject claim) {
    MapNode status = claim.root().map("status");
    Set<String> names = new TreeSet<>();
    names.add(claim.root().map("spec").text("volumeAttributesClassName"));
    names.add(status.text("currentVolumeAttributesClassName"));
    names.add(status.map("modifyVolumeStatus").text("targetVolumeAttributesClassName"));
    names.remove("");
    return names;
  }

  @Override
  public ResourceList usage(ApiObject claim) {
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    amounts.put(COUNT, Quantity.of(1));
    put(amounts, claim, NUMBER, Quantity.of(1));
    Quantity storage = storage(claim);
    if (storage != null) {
      put(amounts, claim, STORAGE, storage);
    }
    return new ResourceList(amounts);
  }

  private static void put(
      NavigableMap<String, Quantity> amounts, ApiObject claim, String name, Quantity amount) {
    amounts.put(name, amount);
    String storageClass = storageClass(claim);
    if (!storageClass.isEmpty()) {
      amounts.put(storageClass + OF_CLASS + name, amount);
    }
  }

  private static String storageClass(ApiObject claim) {
    MapNode annotations = claim.meta().node().map("annotations");
    return annotations.has(CLASS_ANNOTATION)
        ? annotations.text(CLASS_ANNOTATION)
        : claim.root().map("spec").text("storageClassName");
  }

  /** The requested storage in whole bytes, or what is allocated if that is more. */
  private static @Nullable Quantity storage(ApiObject claim) {
    Quantity requested =
        ResourceList.of(claim.root().map("spec").map("resources").map("requests")).get("storage");
    if (requested == null) {
      return null;
    }
    Quantity allocated =
        ResourceList.of(claim.root().map("status").map("allocatedResources")).get("storage");
    Quantity counted =
        allocated != null && allocated.compareTo(requested) > 0 ? allocated : requested;
    return counted.roundedUp();
  }

  @Override
  public boolean replenishes(ApiObject before, ApiObject after) {
    return !allocated(before).equals(allocated(after))
        || !attributesClasses(before).equals(attributesClasses(after));
  }

  private static ResourceList allocated(ApiObject claim) {
    Node allocated = claim.root().map("status").get("allocatedResources");
    return allocated instanceof MapNode map
        ? ResourceList.of(map).masked(List.of("storage"))
        : ResourceList.EMPTY;
  }
}
