package dev.keelson.admission;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * The class that is used if an object names none, of several the newest.
 *
 * @param objects looks up the classes
 * @param resource the classes
 * @param annotations those that mark the default with the value {@code true}
 */
public record DefaultClasses(
    ClusterObjects objects, GroupVersionResource resource, Set<String> annotations) {

  private static final Comparator<ApiObject> NEWEST_FIRST =
      Comparator.comparing((ApiObject object) -> object.meta().creationTimestamp())
          .reversed()
          .thenComparing(object -> object.meta().name());

  public DefaultClasses {
    annotations = Set.copyOf(annotations);
  }

  /** Returns the name of the default, or empty if there is none. */
  public Optional<String> name() {
    return objects.list(resource, "").stream()
        .map(each -> each.get())
        .filter(this::marked)
        .min(NEWEST_FIRST)
        .map(found -> found.meta().name());
  }

  private boolean marked(ApiObject object) {
    return object.meta().annotations().entrySet().stream()
        .anyMatch(entry -> annotations.contains(entry.getKey()) && entry.getValue().equals("true"));
  }
}
