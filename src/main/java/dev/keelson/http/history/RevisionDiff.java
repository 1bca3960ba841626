package dev.keelson.http.history;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.media.Format;
import dev.keelson.http.media.Negotiation;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectHistory;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.validation.UnifiedDiff;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The difference between two revisions of an object, {@code diff=A..B}, in the version of the path:
 * a unified diff of its YAML, or with {@code format} the JSON patch or merge patch that makes B out
 * of A. managedFields and resourceVersion are left out; {@code managedFields=true} compares the
 * former, too.
 */
final class RevisionDiff {

  private static final String UNIFIED = "unified";

  private final GenericRegistry registry;
  private final ObjectHistory history;

  RevisionDiff(GenericRegistry registry, ObjectHistory history) {
    this.registry = registry;
    this.history = history;
  }

  /** Which revisions are compared. */
  private record Span(long from, long to) {
    static Span parse(String text) {
      int dots = text.indexOf("..");
      if (dots < 0) {
        throw ApiException.badRequest(
            "diff: expected two resourceVersions as A..B, found \"" + text + "\"");
      }
      return new Span(
          RevisionNumber.parse("diff", text.substring(0, dots)),
          RevisionNumber.parse("diff", text.substring(dots + 2)));
    }
  }

  /**
   * Answers a diff.
   *
   * @throws ApiException of reason NotFound if the object did not exist at either revision, Expired
   *     if one is no longer kept
   */
  ApiResponse answer(ApiRequest request, Collection collection, String name) {
    Query query = request.query();
    Span span = Span.parse(query.first("diff"));
    String kind = query.has("format") ? query.first("format") : UNIFIED;
    boolean fields = query.flag("managedFields");
    return switch (kind) {
      case UNIFIED -> {
        MapNode[] states = states(collection, name, span, fields);
        String label = collection.definition().groupResource() + "/" + name + "@";
        String changes = UnifiedDiff.of(lines(states[0]), lines(states[1]));
        yield HistoryFormat.text(
            changes.isEmpty()
                ? ""
                : "--- %s%d\n+++ %s%d\n%s".formatted(label, span.from, label, span.to, changes));
      }
      case "json-patch" -> {
        Format format = Negotiation.text(request);
        MapNode[] states = states(collection, name, span, fields);
        yield HistoryFormat.tree(request, format, JsonDifference.patch(states[0], states[1]));
      }
      case "merge-patch" -> {
        Format format = Negotiation.text(request);
        MapNode[] states = states(collection, name, span, fields);
        yield HistoryFormat.tree(request, format, JsonDifference.mergePatch(states[0], states[1]));
      }
      default ->
          throw ApiException.badRequest(
              "format: expected unified, json-patch or merge-patch, found \"" + kind + "\"");
    };
  }

  private MapNode[] states(Collection collection, String name, Span span, boolean fields) {
    Optional<StoredObject> from = history.at(collection, name, span.from);
    Optional<StoredObject> to = history.at(collection, name, span.to);
    if (from.isEmpty() && to.isEmpty()) {
      throw ApiException.notFound(collection.definition().groupResource(), name);
    }
    return new MapNode[] {shown(from, fields), shown(to, fields)};
  }

  /** An object that did not exist has no fields. */
  private MapNode shown(Optional<StoredObject> object, boolean fields) {
    if (object.isEmpty()) {
      return MapNode.EMPTY;
    }
    ApiObject served = registry.served(object.get());
    ObjectMeta meta = served.meta().without("resourceVersion");
    return served.withMeta(fields ? meta : meta.without("managedFields")).root();
  }

  private static List<String> lines(MapNode state) {
    return state.isEmpty()
        ? List.of()
        : new String(ObjectWriter.yaml(state), StandardCharsets.UTF_8).lines().toList();
  }
}
