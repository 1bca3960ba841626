package dev.keelson.http.verb;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.PathErrors;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.Negotiation;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.SubresourceDefinition;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.Listing;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Bytes;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The verbs of computed resources and subresources. */
final class VirtualVerbs {
  private final Map<GroupResource, VirtualResource> resources;
  private final BodyReader reader;
  private final BodyWriter writer;
  private final GenericRegistry registry;

  /**
   * @param resources the handlers, subresources as {@code resource/subresource}; may grow until the
   *     server listens
   * @param registry admits what is created
   */
  VirtualVerbs(
      Map<GroupResource, VirtualResource> resources,
      BodyReader reader,
      BodyWriter writer,
      GenericRegistry registry) {
    this.resources = resources;
    this.reader = reader;
    this.writer = writer;
    this.registry = registry;
  }

  /** Returns the handler of the call's resource or subresource, or null; not for watches. */
  @Nullable VerbHandler handler(ResourceCall call) {
    VirtualResource resource = resources.get(name(call));
    if (resource == null) {
      return null;
    }
    return call.info().verb() == Verb.LIST
        ? same -> list(same, resource)
        : same -> answer(same, resource);
  }

  /** Starts a watch of a computed resource. */
  ObjectWatch watch(ResourceCall call, WatchQuery query, Runnable wake) {
    VirtualResource resource = resources.get(name(call));
    if (resource == null) {
      throw PathErrors.unknownPath();
    }
    return resource.watch(
        request(call, call.definition(), null), query.selection(), query.start(), wake);
  }

  private static GroupResource name(ResourceCall call) {
    GroupResource main = call.definition().groupResource();
    String part = call.info().subresource();
    return part.isEmpty() ? main : new GroupResource(main.group(), main.resource() + "/" + part);
  }

  private static VirtualResource.Request request(
      ResourceCall call, ResourceDefinition definition, @Nullable ApiObject sent) {
    return new VirtualResource.Request(
        call.info().verb(),
        definition,
        call.info(),
        call.exchange().context(),
        call.request().query(),
        sent);
  }

  private ApiResponse list(ResourceCall call, VirtualResource resource) {
    ListQuery selection = QueryOptions.selection(call.request().query());
    GroupVersionKind kind = call.definition().gvk();
    VirtualResource.Objects found =
        resource.select(request(call, call.definition(), null), selection);
    List<StoredObject> objects = new ArrayList<>();
    for (ApiObject object : found.items()) {
      Turn.pass();
      ApiObject typed = object.withType(kind.apiVersion(), kind.kind());
      objects.add(new StoredObject(call.definition(), Bytes.EMPTY, 0, typed));
    }
    return writer.list(
        call.request(),
        new Listing(call.definition(), objects.iterator(), found.revision(), found.token(), null));
  }

  private ApiResponse answer(ResourceCall call, VirtualResource resource) {
    String part = call.info().subresource();
    ResourceDefinition definition =
        part.isEmpty() ? call.definition() : SubresourceDefinition.of(call.definition(), part);
    boolean sends = call.info().verb() == Verb.CREATE;
    ApiObject sent = null;
    if (sends) {
      Negotiation.checkWhole(call.request());
      WriteOptions options = call.writeOptions();
      ApiObject read = resource.defaulted(reader.object(call.exchange(), definition));
      ApiObject object = registry.fields().recordSent(definition, part, read, options);
      String name = call.info().name().isEmpty() ? object.meta().name() : call.info().name();
      sent = registry.admitUnstored(Verb.CREATE, call.collection(), part, name, object, options);
    }
    ApiObject answer = resource.answer(request(call, definition, sent));
    GroupVersionKind kind = definition.gvk();
    return writer.virtual(
        call.request(),
        sends ? 201 : 200,
        answer.withType(kind.apiVersion(), kind.kind()),
        definition);
  }
}
