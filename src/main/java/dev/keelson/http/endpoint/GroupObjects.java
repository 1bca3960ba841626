package dev.keelson.http.endpoint;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** The objects of the named groups. */
@Path("/apis/{group}/{version}")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class GroupObjects extends ObjectPaths {

  @Inject
  public GroupObjects(Api api) {
    super(api);
  }
}
