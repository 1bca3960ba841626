package dev.keelson.registry.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Allocates addresses and ports to Services and releases them. */
public final class ServiceStrategy implements KindStrategy {

  private final Allocator allocator;
  private final ServiceRanges ranges;
  private final RandomGenerator random;
  private final ServiceFamilies families;

  public ServiceStrategy(Allocator allocator, ServiceRanges ranges, RandomGenerator random) {
    this.allocator = allocator;
    this.ranges = ranges;
    this.random = random;
    families = new ServiceFamilies(ranges);
  }

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return object.with("spec", ServiceShape.normalized(object.root().map("spec")));
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    MapNode spec = object.root().map("spec");
    MapNode old = current.root().map("spec");
    return spec.equals(old) ? object : object.with("spec", ServiceShape.carriedOver(spec, old));
  }

  @Override
  public Reservation reserve(ApiObject object, @Nullable ApiObject current, boolean dryRun) {
    MapNode spec = object.root().map("spec");
    if (current != null && spec.equals(current.root().map("spec"))) {
      return Reservation.none(object);
    }
    List<FieldCause> causes = new ArrayList<>();
    ApiObject complete =
        object.with(
            "spec",
            families.complete(spec, current == null ? null : current.root().map("spec"), causes));
    if (!causes.isEmpty()) {
      throw invalid(object, causes);
    }
    ServiceReservation made =
        ServiceReservation.make(allocator, ranges, random, dryRun, complete, current, causes);
    if (!causes.isEmpty()) {
      made.release();
      throw invalid(object, causes);
    }
    return made;
  }

  private static ApiException invalid(ApiObject object, List<FieldCause> causes) {
    return ApiException.invalid(GroupVersion.CORE_V1.kind("Service"), object.meta().name(), causes);
  }

  @Override
  public void removed(ApiObject object) {
    StoreAllocator.forEachUse(
        object.root().map("spec"),
        (kind, value) ->
            allocator.release(kind, value, object.meta().namespace(), object.meta().name()));
  }
}
