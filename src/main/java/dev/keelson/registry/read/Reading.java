package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.StoredObject;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one object or a collection. Without selectors nothing is decoded. */
public final class Reading {

  private final ObjectStates states;
  private final ObjectCodec codec;
  private final ContinueTokens tokens;

  public Reading(ObjectStates states, ObjectCodec codec, ContinueTokens tokens) {
    this.states = states;
    this.codec = codec;
    this.tokens = tokens;
  }

  public Optional<StoredObject> get(Collection collection, String name, ReadVersion version) {
    Bytes key = states.key(collection.type(), collection.namespace(), name);
    Entry entry;
    try {
      entry = states.get(collection.type(), key, version);
    } catch (StorageException.Compacted e) {
      if (version instanceof ReadVersion.Exactly exact) {
        throw ObjectHistory.expired(exact.revision(), e);
      }
      throw e;
    }
    return entry == null
        ? Optional.empty()
        : Optional.of(
            new StoredObject(collection.definition(), entry.value(), entry.modRevision(), null));
  }

  /** The range of keys that can match: a namespace, or one object if the selection names it. */
  static KeyRange range(ObjectStates states, Collection collection, ListQuery query) {
    String namespace = collection.namespace();
    if (namespace.isEmpty() && collection.definition().namespaced()) {
      namespace = query.fields().required("metadata.namespace");
    }
    String name = query.fields().required("metadata.name");
    boolean one =
        !name.isEmpty() && (!namespace.isEmpty() || !collection.definition().namespaced());
    return one
        ? KeyRange.single(states.key(collection.type(), namespace, name))
        : states.range(collection.type(), namespace);
  }

  public Listing list(Collection collection, ListQuery asked, ListPage page) {
    ListQuery query = FieldLabelConversion.convert(collection.definition(), asked);
    ObjectMatcher matcher = new ObjectMatcher(collection, query, codec);
    KeyRange range = range(states, collection, query);
    if (!page.token().isEmpty()) {
      return next(collection, matcher, range, page);
    }
    ObjectState state = states.state(collection.type(), page.version());
    return part(collection, matcher, state, range, page.limit());
  }

  private Listing next(
      Collection collection, ObjectMatcher matcher, KeyRange range, ListPage page) {
    ContinueTokens.Position position = tokens.decode(page.token());
    if (!range.contains(position.lastKey())) {
      throw ApiException.badRequest(
          "invalid continue token: continue key is not valid: it belongs to another list; list"
              + " again without it");
    }
    if (page.versioned()) {
      throw ApiException.badRequest(
          "specifying resource version is not allowed when using continue");
    }
    KeyRange rest = range.startingAfter(position.lastKey());
    boolean consistent = position.revision() != ContinueTokens.INCONSISTENT;
    ReadVersion version =
        consistent ? new ReadVersion.Exactly(position.revision()) : ReadVersion.NEWEST;
    try {
      ObjectState state = states.state(collection.type(), version);
      if (!state.inMemory()) {
        // reads that revision from the store now, while the error can still be answered
        long unused = state.count(rest);
      }
      return part(collection, matcher, state, rest, page.limit());
    } catch (StorageException.Compacted e) {
      throw expired(position.lastKey(), e);
    }
  }

  private Listing part(
      Collection collection, ObjectMatcher matcher, ObjectState state, KeyRange range, long limit) {
    if (limit == 0) {
      Iterator<StoredObject> objects =
          new MatchingObjects(
              collection.definition(),
              state.iterator(matcher.indexValue(), range),
              matcher,
              0,
              counts(collection, matcher, state));
      return Listing.whole(collection.definition(), objects, state.revision());
    }
    List<StoredObject> items = new ArrayList<>();
    MatchingObjects counted =
        new MatchingObjects(
            collection.definition(),
            state.iterator(matcher.indexValue(), range),
            matcher,
            limit,
            counts(collection, matcher, state));
    Bytes last = null;
    while (items.size() < limit && counted.hasNext()) {
      items.add(counted.next());
      last = counted.lastKey();
    }
    // as in kube-apiserver, whose last part may be empty: what follows is not searched for a match
    boolean more = counted.more();
    counted.counted();
    if (last == null || !more) {
      return Listing.whole(collection.definition(), items.iterator(), state.revision());
    }
    Long remaining = null;
    if (matcher.matchesAll()) {
      remaining = state.count(range.startingAfter(last));
    }
    return new Listing(
        collection.definition(),
        items.iterator(),
        state.revision(),
        tokens.encode(new ContinueTokens.Position(state.revision(), last)),
        remaining);
  }

  private MatchingObjects.Counts counts(
      Collection collection, ObjectMatcher matcher, ObjectState state) {
    ListMetrics metrics = states.metrics();
    GroupResource resource = collection.definition().groupResource();
    ListMetrics.Source source = state.source(matcher.indexValue());
    return (fetched, returned) -> metrics.listed(resource, source, fetched, returned);
  }

  /**
   * The error for a token whose revision is compacted; it carries a token that continues
   * inconsistently.
   */
  private ApiException expired(Bytes lastKey, @Nullable Throwable cause) {
    String token = tokens.encode(new ContinueTokens.Position(ContinueTokens.INCONSISTENT, lastKey));
    return new ApiException(
        Reason.EXPIRED,
        "The provided continue parameter is too old to display a consistent list result. You can"
            + " start a new list without the continue parameter, or use the continue token in this"
            + " response to retrieve the remainder of the results. Continuing with the provided"
            + " token results in an inconsistent list - objects that were created, modified, or"
            + " deleted between the time the first chunk was returned and now may show up in the"
            + " list.",
        ErrorDetails.NONE
            .withCauses(
                List.of(
                    new FieldCause(
                        "ResourceExpired",
                        "the revision of the continue token is no longer kept",
                        "")))
            .withContinue(token),
        cause);
  }
}
