package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import dev.keelson.schema.openapi.DocumentPaths.Part;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The documents of one snapshot of the catalog. The instance's lock guards the cache and lets one
 * document be built at a time. By hand and not on Caffeine: the hash of a document outlives the
 * document, and the catalog bounds the number of entries.
 */
final class CatalogDocuments {

  /** Names of the cache for what is no part of v3. */
  private static final String V2 = "v2";

  private static final String INDEX = "v3";

  private final Snapshot snapshot;
  private final DocumentPaths paths;
  private final DocumentFactory factory;
  private final Kinds kinds;
  private final Map<String, Part> parts;
  private final Map<Key, Cached> cache = new HashMap<>();

  private record Key(String name, Format format) {}

  private record Cached(String hash, SoftReference<OpenApiDocument> document) {}

  CatalogDocuments(Snapshot snapshot, DocumentPaths paths, DocumentFactory factory) {
    this.snapshot = snapshot;
    this.paths = paths;
    this.factory = factory;
    this.kinds = Kinds.of(snapshot);
    this.parts = paths.parts(snapshot);
  }

  long generation() {
    return snapshot.generation();
  }

  /**
   * The documents of the next catalog; those of group versions that are the same are taken over.
   */
  synchronized CatalogDocuments next(Snapshot following) {
    CatalogDocuments next = new CatalogDocuments(following, paths, factory);
    cache.forEach(
        (key, cached) -> {
          Part part = parts.get(key.name);
          if (part != null
              && !part.root()
              && same(snapshot.resources(part.version()), following.resources(part.version()))) {
            next.cache.put(key, cached);
          }
        });
    return next;
  }

  private static boolean same(List<?> some, List<?> others) {
    boolean same = some.size() == others.size();
    for (int i = 0; same && i < some.size(); i++) {
      same = some.get(i) == others.get(i);
    }
    return same;
  }

  synchronized OpenApiDocument v2(Format format) {
    return cached(
        new Key(V2, format),
        () -> OpenApiDocument.of(factory.v2(paths.all(snapshot), kinds, format)));
  }

  synchronized OpenApiDocument index() {
    return cached(
        new Key(INDEX, Format.JSON),
        () -> {
          MapNode.Builder entries = MapNode.builder(parts.size());
          parts.forEach((name, part) -> entries.put(name, entry(name, part)));
          return OpenApiDocument.of(factory.json().write(MapNode.of("paths", entries.build())));
        });
  }

  private MapNode entry(String name, Part part) {
    Cached known = cache.get(new Key(name, Format.JSON));
    String hash = known == null ? json(name, part).hash() : known.hash;
    return MapNode.of("serverRelativeURL", Node.text(OpenApiDocument.url(name, hash)));
  }

  boolean has(String name) {
    return parts.containsKey(name);
  }

  synchronized Optional<OpenApiDocument> v3(String name, Format format) {
    Part part = parts.get(name);
    if (part == null) {
      return Optional.empty();
    }
    return Optional.of(
        switch (format) {
          case JSON -> json(name, part);
          case PROTOBUF -> protobuf(name, part);
        });
  }

  private OpenApiDocument json(String name, Part part) {
    return cached(
        new Key(name, Format.JSON),
        () -> OpenApiDocument.of(factory.v3(part.items().get(), kindsOf(part), Format.JSON)));
  }

  private OpenApiDocument protobuf(String name, Part part) {
    return cached(
        new Key(name, Format.PROTOBUF),
        () ->
            new OpenApiDocument(
                factory.v3(part.items().get(), kindsOf(part), Format.PROTOBUF),
                json(name, part).hash()));
  }

  private Kinds kindsOf(Part part) {
    return kinds.only(part.version());
  }

  private OpenApiDocument cached(Key key, Supplier<OpenApiDocument> build) {
    Cached known = cache.get(key);
    OpenApiDocument document = known == null ? null : known.document.get();
    if (document == null) {
      document = build.get();
      cache.put(key, new Cached(document.hash(), new SoftReference<>(document)));
    }
    return document;
  }
}
