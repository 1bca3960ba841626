package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Removes duplicate owner references, with a warning to the client (source: kube-apiserver's
 * handlers since 1.20).
 */
public final class DuplicateOwnerReferences {

  private static final String FIELD = "ownerReferences";
  private static final String ADVICE =
      "; API server dedups owner references in 1.20+, and may reject such requests as early as"
          + " 1.24; please fix your requests; duplicate UID(s) observed: ";

  private DuplicateOwnerReferences() {}

  /** Removes identical owner references from an object that a client sent. */
  public static ApiObject dedup(ApiObject sent, Consumer<String> warnings) {
    return dedup(sent, "", warnings);
  }

  /** Removes identical owner references from a patched object, or after admission. */
  static ApiObject dedupAfterAdmission(ApiObject object, Consumer<String> warnings) {
    return dedup(object, " after mutating admission happens", warnings);
  }

  private static ApiObject dedup(ApiObject object, String when, Consumer<String> warnings) {
    List<Node> owners = object.meta().node().items(FIELD);
    if (owners.size() < 2) {
      return object;
    }
    LinkedHashSet<Node> kept = new LinkedHashSet<>();
    List<String> duplicates = new ArrayList<>();
    for (Node owner : owners) {
      if (!kept.add(owner) && owner instanceof MapNode map) {
        duplicates.add(map.text("uid"));
      }
    }
    if (duplicates.isEmpty()) {
      return object;
    }
    warnings.accept(
        ".metadata.ownerReferences contains duplicate entries"
            + when
            + ADVICE
            + String.join(", ", duplicates));
    return object.withMeta(object.meta().with(FIELD, new Node.Items(List.copyOf(kept))));
  }
}
