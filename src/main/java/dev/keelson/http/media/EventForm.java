package dev.keelson.http.media;

import dev.keelson.http.Body.Payload;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import java.util.List;

/** How one watch writes what its events carry, and the events around it. Used by one thread. */
interface EventForm {

  /** Adds the bytes of an object. */
  void object(StoredObject object, List<Payload.Slice> out);

  /** Adds the bytes of the object of a bookmark, which has little more than a resourceVersion. */
  void bookmark(MapNode object, List<Payload.Slice> out);

  /** Adds the bytes of a Status. */
  void status(MapNode status, List<Payload.Slice> out);

  /** The event of a type around the bytes of its object. */
  List<Payload.Slice> frame(String type, List<Payload.Slice> object);
}
