package dev.keelson.http.endpoint;

import dev.keelson.http.Answer;
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
 * method that a template does not have is not allowed there; which of the others a resource has is
 * for the catalog to say.
 */
@Produces(AnswerWriter.TYPE)
@RunOnVirtualThread
abstract class ObjectPaths {

  private final Api api;

  ObjectPaths(Api api) {
    this.api = api;
  }

  private Answer answer(ServerRequestContext match) {
    return api.objects(match, MatchedPath.of(match, /* watch= */ false));
  }

  private Answer namespace(ServerRequestContext match, String subresource) {
    return api.objects(match, MatchedPath.ofNamespace(match, /* watch= */ false, subresource));
  }

  @GET
  public Answer listResources(@Context ServerRequestContext match) {
    return Api.document(match, api.discovery());
  }

  // objects of the cluster, or of all namespaces

  @GET
  @Path("{resource}")
  public Answer listInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("{resource}")
  public Answer createInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}")
  public Answer deleteCollectionInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}")
  public Answer getInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("{resource}/{name}")
  public Answer replaceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("{resource}/{name}")
  public Answer patchInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}/{name}")
  public Answer deleteInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}/{subresource}")
  public Answer getSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("{resource}/{name}/{subresource}")
  public Answer createSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("{resource}/{name}/{subresource}")
  public Answer replaceSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("{resource}/{name}/{subresource}")
  public Answer patchSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}/{name}/{subresource}")
  public Answer deleteSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public Answer getBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public Answer postBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public Answer putBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public Answer patchBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("{resource}/{name}/{subresource}/{rest: .+}")
  public Answer deleteBelowSubresourceInCluster(@Context ServerRequestContext match) {
    return answer(match);
  }

  // objects of a namespace

  @GET
  @Path("namespaces/{namespace}/{resource}")
  public Answer listInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("namespaces/{namespace}/{resource}")
  public Answer createInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}")
  public Answer deleteCollectionInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}")
  public Answer getInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("namespaces/{namespace}/{resource}/{name}")
  public Answer replaceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("namespaces/{namespace}/{resource}/{name}")
  public Answer patchInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}/{name}")
  public Answer deleteInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public Answer getSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public Answer createSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public Answer replaceSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public Answer patchSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}")
  public Answer deleteSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public Answer getBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public Answer postBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PUT
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public Answer putBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @PATCH
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public Answer patchBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("namespaces/{namespace}/{resource}/{name}/{subresource}/{rest: .+}")
  public Answer deleteBelowSubresourceInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  // namespaces, where status and finalize are no resources of the namespace

  @GET
  @Path("namespaces/{name}")
  public Answer getNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @PUT
  @Path("namespaces/{name}")
  public Answer replaceNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @PATCH
  @Path("namespaces/{name}")
  public Answer patchNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @DELETE
  @Path("namespaces/{name}")
  public Answer deleteNamespace(@Context ServerRequestContext match) {
    return namespace(match, "");
  }

  @GET
  @Path("namespaces/{name}/status")
  public Answer getNamespaceStatus(@Context ServerRequestContext match) {
    return namespace(match, "status");
  }

  @PUT
  @Path("namespaces/{name}/status")
  public Answer replaceNamespaceStatus(@Context ServerRequestContext match) {
    return namespace(match, "status");
  }

  @PATCH
  @Path("namespaces/{name}/status")
  public Answer patchNamespaceStatus(@Context ServerRequestContext match) {
    return namespace(match, "status");
  }

  @PUT
  @Path("namespaces/{name}/finalize")
  public Answer finalizeNamespace(@Context ServerRequestContext match) {
    return namespace(match, "finalize");
  }
}
