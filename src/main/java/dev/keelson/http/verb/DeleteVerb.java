package dev.keelson.http.verb;

import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupResource;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.StatusBody;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.options.DeleteOptionsReader;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.write.Deleted;
import dev.keelson.request.Spans;
import java.util.List;

/**
 * Deletes an object. Returns a Status if it is deleted (contract, "Generic operations"), or the
 * object if finalizers or a grace period delay the deletion.
 */
final class DeleteVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final DeleteOptionsReader options;
  private final BodyWriter writer;

  DeleteVerb(GenericRegistry registry, DeleteOptionsReader options, BodyWriter writer) {
    this.registry = registry;
    this.options = options;
    this.writer = writer;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    DeleteOptionsReader.Options asked = options.read(call.request());
    Spans.event(BODY_READ);
    Spans.event("Decoded delete options");
    Spans.event(AUDITED);
    Spans.event("About to delete object from database");
    Deleted deleted =
        registry.delete(
            call.collection(), call.info().name(), asked.query(), call.writeOptions(asked));
    Spans.event("Object deleted from database");
    Spans.event(ABOUT_TO_WRITE);
    if (!deleted.gone()) {
      // 202 is only sent for orphanDependents=false, as in Kubernetes; other clients expect 200
      return writer.object(
          call.request(), asked.keepsDependentsNever() ? 202 : 200, deleted.object());
    }
    ObjectMeta meta = registry.served(deleted.object()).meta();
    GroupResource resource = call.definition().groupResource();
    ErrorDetails about =
        new ErrorDetails(
            resource.group(), resource.resource(), meta.name(), meta.uid(), List.of(), 0);
    return writer.status(call.request(), 200, StatusBody.success(about));
  }
}
