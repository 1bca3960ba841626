package dev.keelson.http.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyReader;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeleteOptionsReaderTest {

  private final DeleteOptionsReader options =
      new DeleteOptionsReader(
          new BodyReader(new ResourceCatalog(List.of())),
          ProtoSchemas.fromClassPath()
              .struct("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"));

  private static ApiRequest request(String query) {
    return new ApiRequest(
        "DELETE", "/", Query.parse(query), Map.of(), new byte[0], List.of(), "127.0.0.1");
  }

  @Test
  void query_ofADeletion_hasPreconditions() {
    assertThat(options.read(request("uid=u&resourceVersion=7&gracePeriodSeconds=3")).query())
        .isEqualTo(new DeleteQuery("u", "7", 3L, null));
  }

  @Test
  void query_ofTheDeletionOfACollection_hasTheVersionOfTheList() {
    assertThat(options.readForCollection(request("resourceVersion=7")).query())
        .isEqualTo(new DeleteQuery(null, null, null, null));
  }
}
