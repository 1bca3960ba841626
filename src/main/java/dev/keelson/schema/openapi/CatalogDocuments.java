package dev.keelson.schema.openapi;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.openapi.DocumentPaths.Part;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.operation.PathItem;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The documents of one snapshot of the catalog and of the remote documents. The instance's lock
 * guards the cache and lets one document be built at a time. By hand and not on Caffeine: the hash
 * of a document outlives the document, and the catalog bounds the number of entries.
 *
 * <p>The hash of a document with custom resources is that of what it is made from: the index names
 * all hashes, and must not build a document for each group.
 */
final class CatalogDocuments {

  /** Names of the cache for what is no part of v3. */
  private static final String V2 = "v2";

  private static final String INDEX = "v3";

  private final Snapshot snapshot;
  private final RemoteDocuments.Snapshot remote;
  private final DocumentPaths paths;
  private final DocumentFactory factory;
  private final Kinds kinds;
  private final Map<String, Part> parts;
  private final Map<Key, Cached> cache = new HashMap<>();
  private final Map<String, String> customHashes = new HashMap<>();

  private record Key(String name, Format format) {}

  private record Cached(String hash, SoftReference<OpenApiDocument> document) {}

  CatalogDocuments(
      Snapshot snapshot,
      RemoteDocuments.Snapshot remote,
      DocumentPaths paths,
      DocumentFactory factory) {
    this.snapshot = snapshot;
    this.remote = remote;
    this.paths = paths;
    this.factory = factory;
    this.kinds = Kinds.of(snapshot.builtIn());
    this.parts = paths.parts(snapshot);
  }

  /** The documents of a catalog with the same group versions and built-in resources. */
  private CatalogDocuments(
      CatalogDocuments before, Snapshot snapshot, RemoteDocuments.Snapshot remote) {
    this.snapshot = snapshot;
    this.remote = remote;
    this.paths = before.paths;
    this.factory = before.factory;
    this.kinds = before.kinds;
    this.parts = before.parts;
  }

  /** Whether these are the documents of this state. */
  boolean describes(Snapshot catalog, RemoteDocuments.Snapshot others) {
    return snapshot.generation() == catalog.generation()
        && remote.generation() == others.generation();
  }

  /**
   * The documents of the next catalog; those of group versions that are the same are taken over.
   */
  synchronized CatalogDocuments next(Snapshot following, RemoteDocuments.Snapshot others) {
    CatalogDocuments next =
        snapshot.versionsGeneration() == following.versionsGeneration()
                && snapshot.builtIn() == following.builtIn()
            ? new CatalogDocuments(this, following, others)
            : new CatalogDocuments(following, others, paths, factory);
    cache.forEach(
        (key, cached) -> {
          if (isSame(key.name, next)) {
            next.cache.put(key, cached);
          }
        });
    customHashes.forEach(
        (name, hash) -> {
          if (isSame(name, next)) {
            next.customHashes.put(name, hash);
          }
        });
    return next;
  }

  private boolean isSame(String name, CatalogDocuments next) {
    Part part = parts.get(name);
    Part same = next.parts.get(name);
    return part != null
        && same != null
        && part.custom() == same.custom()
        && (part.root()
            || same(snapshot.resources(part.version()), next.snapshot.resources(same.version())));
  }

  private static boolean same(List<?> some, List<?> others) {
    // the catalog keeps the lists that a change does not concern
    boolean same = some == others || some.size() == others.size();
    for (int i = 0; same && some != others && i < some.size(); i++) {
      same = some.get(i) == others.get(i);
    }
    return same;
  }

  synchronized OpenApiDocument v2(Format format) {
    return cached(
        new Key(V2, format),
        () -> {
          // another server serves the group version, and documents it
          List<ResourceDefinition> custom =
              snapshot.all().stream().filter(DocumentPaths::isCustom).toList();
          List<ResourceDefinition> served =
              custom.stream()
                  .filter(type -> !remote.hasSwagger(GroupVersion.of(type.gvr())))
                  .toList();
          List<byte[]> bytes =
              factory.v2(
                  new DocumentFactory.Swagger(
                      snapshot.builtIn(),
                      () -> items(false),
                      kinds,
                      items(true),
                      served,
                      remote.v2()),
                  format);
          return custom.isEmpty() && remote.v2().isEmpty()
              ? OpenApiDocument.of(bytes)
              : new OpenApiDocument(bytes, OpenApiDocument.hash(swaggerSource(format, served)));
        });
  }

  private String swaggerSource(Format format, List<ResourceDefinition> served) {
    StringBuilder source = new StringBuilder(source(V2 + format, served));
    remote.v2().forEach(document -> source.append('\n').append(document.hash()));
    return source.toString();
  }

  /** The paths of the parts that are there because of custom resources, or of the others. */
  private List<PathItem> items(boolean ofCustom) {
    List<PathItem> items = new ArrayList<>();
    for (Part part : parts.values()) {
      if (part.custom() == ofCustom) {
        items.addAll(part.items().get());
      }
    }
    return items;
  }

  synchronized OpenApiDocument index() {
    return cached(
        new Key(INDEX, Format.JSON),
        () -> {
          Map<String, MapNode> entries = new TreeMap<>();
          remote.index().forEach((name, url) -> entries.put(name, entry(url)));
          parts.forEach(
              (name, part) ->
                  entries.computeIfAbsent(
                      name, _ -> entry(OpenApiDocument.url(name, hash(name, part)))));
          MapNode index = MapNode.of("paths", MapNode.copyOf(entries));
          return OpenApiDocument.of(List.of(factory.json().write(index)));
        });
  }

  private static MapNode entry(String url) {
    return MapNode.of("serverRelativeURL", Node.text(url));
  }

  /** The hash of a document, which is built for it if it has no custom resources. */
  private String hash(String name, Part part) {
    if (part.custom()) {
      return customHashes.computeIfAbsent(
          name, _ -> OpenApiDocument.hash(source(name, types(part))));
    }
    Cached known = cache.get(new Key(name, Format.JSON));
    return known == null ? json(name, part).hash() : known.hash;
  }

  /**
   * What a document with custom resources is made from, as text: the specs, by the generations of
   * their definitions, and what the status decides.
   */
  private String source(String name, List<ResourceDefinition> types) {
    StringBuilder source = new StringBuilder(factory.version()).append('\n').append(name);
    for (ResourceDefinition type : types) {
      CustomResourceVersion version = Objects.requireNonNull(type.custom(), "a custom resource");
      CustomResource resource = version.resource();
      source
          .append('\n')
          .append(resource.uid())
          .append(' ')
          .append(resource.generation())
          .append(' ')
          .append(type.gvr())
          .append(' ')
          .append(type.kind())
          .append(' ')
          .append(type.listKind())
          .append(' ')
          .append(type.terminating());
    }
    return source.toString();
  }

  private List<ResourceDefinition> types(Part part) {
    return part.root()
        ? List.of()
        : snapshot.resources(part.version()).stream().filter(DocumentPaths::isCustom).toList();
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
          case PROTOBUF ->
              cached(
                  new Key(name, format),
                  () -> new OpenApiDocument(bytes(part, format), hash(name, part)));
        });
  }

  private OpenApiDocument json(String name, Part part) {
    return cached(
        new Key(name, Format.JSON),
        () -> {
          List<byte[]> bytes = bytes(part, Format.JSON);
          return part.custom()
              ? new OpenApiDocument(bytes, hash(name, part))
              : OpenApiDocument.of(bytes);
        });
  }

  private List<byte[]> bytes(Part part, Format format) {
    return factory.v3(part.items().get(), kinds.only(part.version()), types(part), format);
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
