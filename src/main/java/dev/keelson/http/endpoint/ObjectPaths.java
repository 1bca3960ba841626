package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * The paths of objects below a group version, and of the document that lists its resources. A
 * method without a template is not allowed; the catalog decides which of the others a resource
 * supports.
 */
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
abstract class ObjectPaths {

  private final Api api;

  ObjectPaths(Api api) {
    this.api = api;
  }

  private ApiResponse answer(ServerRequestContext match) {
    return api.objects(match, MatchedPath.of(match, /* watch= */ false));
  }

  private ApiResponse namespace(ServerRequestContext match, String subresource) {
    return api.objects(match, MatchedPath.ofNamespace(match, /* watch= */ false, subresource));
  }

  @GET
  public ApiResponse listResources(@Context ServerRequestContext match) {
    return Api.document(match, api.discovery());
  }

  // cluster-scoped objects, or objects of all namespaces

  @GET
  @Path("{resource}")
  public ApiResponse listInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("{resource}")
  public ApiResponse createInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}")
  public ApiResponse deleteCollectionInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}")
  public ApiResponse getInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("{resource}/{name}")
  public ApiResponse replaceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("{resource}/{name}")
  public ApiResponse patchInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}/{name}")
  public ApiResponse deleteInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}/{subresource}")
  public ApiResponse getSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("{resource}/{name}/{subresource}")
  public ApiResponse createSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("{resource}/{name}/{subresource}")
  public ApiResponse replaceSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("{resource}/{name}/{subresource}")
  public ApiResponse patchSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}/{name}/{subresource}")
  public ApiResponse deleteSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse getBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse postBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse putBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse patchBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse deleteBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  // objects of a namespace

  @GET
  @Path("namespaces/{namespace}/{resource}")
  public ApiResponse listInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("namespaces/{namespace}/{resource}")
  public ApiResponse createInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}")
  public ApiResponse deleteCollectionInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}")
  public ApiResponse getInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("namespaces/{namespace}/{resource}/{name}")
  public ApiResponse replaceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("namespaces/{namespace}/{resource}/{name}")
  public ApiResponse patchInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}/{name}")
  public ApiResponse deleteInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public ApiResponse getSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public ApiResponse createSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public ApiResponse replaceSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public ApiResponse patchSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public ApiResponse deleteSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse getBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse postBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse putBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse patchBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public ApiResponse deleteBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  // namespaces, whose status and finalize are subresources, not resources of the namespace

  @GET
  @Path("namespaces/{name}")
  public ApiResponse getNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @PUT
  @Path("namespaces/{name}")
  public ApiResponse replaceNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @PATCH
  @Path("namespaces/{name}")
  public ApiResponse patchNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @DELETE
  @Path("namespaces/{name}")
  public ApiResponse deleteNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @GET
  @Path("namespaces/{name}/status")
  public ApiResponse getNamespaceStatus(@Context ServerRequestContext match) {
    return namespace(match, "status");
  }

  @PUT
  @Path("namespaces/{name}/status")
  public ApiResponse replaceNamespaceStatus(@Context ServerRequestContext match) {
    return namespace(match, "status");
  }

  @PATCH
  @Path("namespaces/{name}/status")
  public ApiResponse patchNamespaceStatus(@Context ServerRequestContext match) {
    return namespace(match, "status");
  }

  @GET
  @Path("namespaces/{name}/history")
  public ApiResponse getNamespaceHistory(@Context ServerRequestContext match) {
    return namespace(match, "history");
  }

  @POST
  @Path("namespaces/{name}/history")
  public ApiResponse restoreNamespace(@Context ServerRequestContext match) {
    return namespace(match, "history");
  }

  @PUT
  @Path("namespaces/{name}/finalize")
  public ApiResponse finalizeNamespace(@Context ServerRequestContext match) {
    return namespace(match, "finalize");
  }
}
