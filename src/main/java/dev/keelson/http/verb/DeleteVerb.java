package dev.keelson.http.verb;

import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupResource;
import dev.keelson.http.Answer;
import dev.keelson.http.StatusBody;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Deleted;
import dev.keelson.registry.GenericRegistry;
import java.util.List;

/**
 * Deletes an object and answers a Status, also while finalizers hold the object (contract, "Generic
 * operations").
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
  public Answer handle(ResourceCall call) {
    DeleteOptionsReader.Options asked = options.read(call.request());
    Deleted deleted =
        registry.delete(
            call.collection(),
            call.info().name(),
            asked.query(),
            QueryOptions.write(call, asked.dryRun()));
    ObjectMeta meta = registry.served(deleted.object()).meta();
    GroupResource resource = call.definition().groupResource();
    ErrorDetails about =
        new ErrorDetails(
            resource.group(), resource.resource(), meta.name(), meta.uid(), List.of(), 0);
    return writer.status(call.request(), 200, StatusBody.success(about));
  }
}
