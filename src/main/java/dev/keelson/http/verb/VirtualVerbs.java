package dev.keelson.http.verb;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.http.Answer;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Listing;
import dev.keelson.registry.StoredObject;
import dev.keelson.storage.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The verbs on resources of which nothing is stored. */
final class VirtualVerbs {
  private final Map<GroupResource, VirtualResource> resources;
  private final BodyReader reader;
  private final BodyWriter writer;

  VirtualVerbs(
      Map<GroupResource, VirtualResource> resources, BodyReader reader, BodyWriter writer) {
    this.resources = Map.copyOf(resources);
    this.reader = reader;
    this.writer = writer;
  }

  /** What answers requests for the call's resource, or null. */
  @Nullable VerbHandler handler(ResourceCall call) {
    VirtualResource resource = resources.get(call.definition().groupResource());
    if (resource == null) {
      return null;
    }
    return call.info().verb() == Verb.LIST
        ? same -> list(same, resource)
        : same -> answer(same, resource);
  }

  private Answer list(ResourceCall call, VirtualResource resource) {
    VirtualResource.Request request =
        new VirtualResource.Request(
            call.info().verb(), call.info(), call.exchange().context(), null);
    GroupVersionKind kind = call.definition().gvk();
    List<StoredObject> objects = new ArrayList<>();
    for (ApiObject object : resource.list(request)) {
      ApiObject typed = object.withType(kind.apiVersion(), kind.kind());
      objects.add(new StoredObject(call.definition(), Bytes.EMPTY, 0, typed));
    }
    return writer.list(
        call.request(), new Listing(call.definition(), objects.iterator(), 0, "", null));
  }

  private Answer answer(ResourceCall call, VirtualResource resource) {
    boolean sends = call.info().verb() == Verb.CREATE;
    ApiObject sent = null;
    if (sends) {
      // nothing is stored, so a dry run is like any other; a value that is none is still refused
      Object unused = QueryOptions.write(call);
      sent = reader.object(call.exchange(), call.definition());
    }
    ApiObject answer =
        resource.answer(
            new VirtualResource.Request(
                call.info().verb(), call.info(), call.exchange().context(), sent));
    GroupVersionKind kind = call.definition().gvk();
    return writer.virtual(
        call.request(),
        sends ? 201 : 200,
        answer.withType(kind.apiVersion(), kind.kind()),
        call.definition());
  }
}
