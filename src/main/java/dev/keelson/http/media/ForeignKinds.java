package dev.keelson.http.media;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.value.GoQuote;
import java.util.Optional;
import java.util.Set;

/**
 * Why a body of another kind cannot be decoded, in the words of kube-apiserver's scheme: a kind
 * that it knows is decoded and cannot be converted; others are not registered (source: apimachinery
 * pkg/conversion and pkg/runtime/error.go).
 */
final class ForeignKinds {

  private static final String SCHEME = "pkg/api/legacyscheme/scheme.go:30";

  /** Groups with schemes of their own, whose servers know no other kinds. */
  private static final Set<String> APART = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

  /** Kinds that are registered in every group version. */
  private static final Set<String> EVERYWHERE =
      Set.of(
          "CreateOptions",
          "DeleteOptions",
          "GetOptions",
          "ListOptions",
          "PatchOptions",
          "UpdateOptions",
          "WatchEvent");

  private static final String LIST = "List";

  private final ResourceCatalog catalog;

  ForeignKinds(ResourceCatalog catalog) {
    this.catalog = catalog;
  }

  /** Whether a kind is one of Kubernetes' own. */
  boolean isKnown(GroupVersionKind kind) {
    return EVERYWHERE.contains(kind.kind())
        || isObject(kind)
        || (kind.kind().endsWith(LIST)
            && isObject(
                new GroupVersionKind(
                    kind.group(),
                    kind.version(),
                    kind.kind().substring(0, kind.kind().length() - LIST.length()))));
  }

  private boolean isObject(GroupVersionKind kind) {
    Optional<ResourceDefinition> found = catalog.snapshot().find(kind);
    return found.isPresent() && found.get().custom() == null && !APART.contains(kind.group());
  }

  /** Why {@code kind} is no {@code expected}. */
  String problem(GroupVersionKind kind, GroupVersionKind expected) {
    if (isKnown(kind) && !APART.contains(expected.group())) {
      return "converting ("
          + kind.version()
          + "."
          + kind.kind()
          + ") to ("
          + internalPackage(expected)
          + "."
          + expected.kind()
          + "): unknown conversion";
    }
    return "no kind "
        + GoQuote.quote(kind.kind())
        + " is registered for version "
        + GoQuote.quote(kind.apiVersion())
        + " in scheme "
        + GoQuote.quote(SCHEME);
  }

  /** The Go package of the unversioned type. */
  private static String internalPackage(GroupVersionKind kind) {
    String group = kind.group();
    if (group.isEmpty() || group.equals("events.k8s.io")) {
      return "core";
    }
    int dot = group.indexOf('.');
    return dot < 0 ? group : group.substring(0, dot);
  }
}
