package dev.keelson.http.verb;

import dev.keelson.api.Verb;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.Subresource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handlers of subresources. */
final class SubresourceVerbs {

  private static final Set<String> ON_NODES =
      Set.of("log", "exec", "attach", "portforward", "proxy");

  private final GenericRegistry registry;
  private final NodeConnection nodes;
  private final Map<String, Map<Verb, VerbHandler>> byName;
  private final Map<String, VerbHandler> posted;

  SubresourceVerbs(
      GenericRegistry registry,
      Subresources subresources,
      ResourceCatalog catalog,
      BodyReader reader,
      BodyWriter writer,
      List<PatchFormat> patches,
      NodeConnection nodes) {
    this.registry = registry;
    this.nodes = nodes;
    NamedCreateVerbs actions = new NamedCreateVerbs(subresources, catalog, reader, writer);
    GetVerb get = new GetVerb(registry, writer);
    UpdateSubresourceVerb update = new UpdateSubresourceVerb(registry, reader, writer);
    byName =
        Map.of(
            "scale", new ScaleVerbs(subresources.scales(), reader, writer, patches).handlers(),
            "ephemeralcontainers",
                part(get, update, patches(registry, "ephemeralcontainers", patches, writer)),
            "resize", part(get, update, patches(registry, "resize", patches, writer)),
            "approval", part(get, update, patches(registry, "approval", patches, writer)),
            "finalize", Map.of(Verb.UPDATE, update),
            "binding", Map.of(Verb.CREATE, actions::bindPod),
            "eviction", Map.of(Verb.CREATE, actions::evict),
            "rollback", Map.of(Verb.CREATE, actions::rollBack));
    posted = Map.of("bindings", actions::bind);
  }

  private static Map<Verb, VerbHandler> part(
      VerbHandler get, VerbHandler update, VerbHandler patch) {
    return Map.of(Verb.GET, get, Verb.UPDATE, update, Verb.PATCH, patch);
  }

  private static VerbHandler patches(
      GenericRegistry registry, String part, List<PatchFormat> formats, BodyWriter writer) {
    return new PatchVerb(
        (collection, name, patch, options) ->
            registry.patchPart(collection, part, name, patch, options),
        formats,
        writer);
  }

  /** Returns the handler of a subresource, or null if it is not supported. */
  @Nullable VerbHandler of(String subresource, Verb verb) {
    return ON_NODES.contains(subresource)
        ? this::onNode
        : byName.getOrDefault(subresource, Map.of()).get(verb);
  }

  /** Returns the create handler of a computed resource, or null. */
  @Nullable VerbHandler posted(ResourceCall call) {
    return call.info().verb() == Verb.CREATE && call.definition().gvr().group().isEmpty()
        ? posted.get(call.definition().gvr().resource())
        : null;
  }

  private ApiResponse onNode(ResourceCall call) {
    Subresource subresource = call.definition().subresources().get(call.info().subresource());
    MapNode options = MapNode.EMPTY;
    if (subresource != null && subresource.verbs().contains(Verb.CONNECT)) {
      options =
          registry
              .admitUnstored(
                  Verb.CONNECT,
                  call.collection(),
                  subresource.name(),
                  call.info().name(),
                  ConnectOptions.of(call, subresource),
                  call.connectOptions())
              .root();
    }
    return nodes.open(new NodeConnection.Connect(call.exchange(), call.info(), options));
  }
}
