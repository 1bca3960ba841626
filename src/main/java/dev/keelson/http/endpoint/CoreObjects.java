package dev.keelson.http.endpoint;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** The objects of the core group. */
@Path("/api/{version}")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class CoreObjects extends ObjectPaths {

  @Inject
  public CoreObjects(Api api) {
    super(api);
  }
}
