package dev.keelson.registry.generic;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.NamespaceLifecycle;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.registry.Preconditions;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.Timestamps;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.FieldManager;
import dev.keelson.registry.read.ContinueTokens;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.Listing;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.Reading;
import dev.keelson.registry.read.WatchQuery;
import dev.keelson.registry.read.Watching;
import dev.keelson.registry.write.CollectionDeletion;
import dev.keelson.registry.write.Creation;
import dev.keelson.registry.write.CurrentObjects;
import dev.keelson.registry.write.CustomTypeLifecycle;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.registry.write.Deletion;
import dev.keelson.registry.write.DuplicateOwnerReferences;
import dev.keelson.registry.write.ObjectNames;
import dev.keelson.registry.write.ObjectPart;
import dev.keelson.registry.write.Replacement;
import dev.keelson.registry.write.UpdateFunction;
import dev.keelson.registry.write.WriteAdmission;
import dev.keelson.registry.write.WriteSteps;
import dev.keelson.registry.write.Written;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.object.ObjectStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The verbs on every stored resource. Input objects are in the version of the collection and
 * decoded by its schema; results are as stored. Safe for use by several threads; every call blocks
 * on the store and throws its exceptions ({@link dev.keelson.storage.StorageException}).
 */
public final class GenericRegistry {

  private final Reading reading;
  private final Watching watching;
  private final Creation creation;
  private final Replacement replacement;
  private final Deletion deletion;
  private final CollectionDeletion collectionDeletion;
  private final ObjectCodec codec;
  private final WriteSteps steps;
  private final WriteAdmission admission;

  /**
   * A registry.
   *
   * @param tokenSecret the key that signs continue tokens; the same on every server of one store
   */
  public GenericRegistry(
      ObjectStore store,
      RevisionedStore history,
      ObjectStates states,
      Supplier<byte[]> tokenSecret,
      ObjectCodec codec,
      ResourceCatalog catalog,
      WriteSteps steps,
      NamespaceLifecycle namespaces,
      RandomGenerator random,
      InstantSource clock) {
    Timestamps timestamps = new Timestamps(clock);
    this.codec = codec;
    this.steps = steps;
    admission = new WriteAdmission(steps, codec);
    reading = new Reading(states, codec, new ContinueTokens(tokenSecret));
    watching = new Watching(history, states, codec, catalog);
    creation =
        new Creation(
            store,
            codec,
            steps,
            namespaces,
            new CustomTypeLifecycle(catalog, store),
            new ObjectNames(random),
            timestamps);
    CurrentObjects currentObjects = new CurrentObjects(store, states);
    replacement = new Replacement(store, currentObjects, codec, steps, timestamps);
    deletion = new Deletion(store, currentObjects, codec, steps, timestamps, namespaces);
    collectionDeletion = new CollectionDeletion(reading, deletion, this::tree);
  }

  /**
   * Reads an object.
   *
   * @throws ApiException of reason NotFound
   */
  public StoredObject get(Collection collection, String name) {
    return get(collection, name, ReadVersion.NEWEST);
  }

  /**
   * Reads an object in the state that {@code version} asks for.
   *
   * @throws ApiException of reason NotFound, or Timeout if that state does not come in time
   */
  public StoredObject get(Collection collection, String name, ReadVersion version) {
    return reading.get(collection, name, version).orElseThrow(() -> notFound(collection, name));
  }

  /** Reads an object that may be missing. */
  public Optional<StoredObject> find(Collection collection, String name) {
    return find(collection, name, ReadVersion.NEWEST);
  }

  /**
   * Reads an object that may be missing in the state that {@code version} asks for.
   *
   * @throws ApiException of reason Timeout if that state does not come in time
   */
  public Optional<StoredObject> find(Collection collection, String name, ReadVersion version) {
    return reading.get(collection, name, version);
  }

  /**
   * Runs both phases of admission for an object that is not stored, such as a review, an eviction
   * or the options of a connection.
   *
   * @param operation CREATE or CONNECT
   * @param subresource the subresource, or empty
   * @param object the object that was sent, in the version of the request
   * @return what mutating admission has made of it, in the namespace of the path
   * @throws ApiException if a plugin rejects the request, usually of reason Forbidden; BadRequest
   *     if the object is of another namespace
   */
  public ApiObject admitUnstored(
      Verb operation,
      Collection collection,
      String subresource,
      String name,
      ApiObject object,
      WriteOptions options) {
    return admission.unstored(operation, collection, subresource, name, object, options);
  }

  /**
   * Lists the objects that match, or a chunk of them, at one revision.
   *
   * @throws ApiException of reason BadRequest if a field label is not supported or the token is
   *     invalid, Expired if the token's revision is compacted, Timeout if the state does not come
   *     in time
   */
  public Listing list(Collection collection, ListQuery query, ListPage page) {
    return reading.list(collection, query, page);
  }

  /**
   * Watches the objects that match.
   *
   * @param wake is run, on any thread, when there is more to poll; must not block
   * @throws ApiException of reason BadRequest if a field label is not supported, Timeout if the
   *     revision does not come in time
   */
  public ObjectWatch watch(Collection collection, WatchQuery query, Runnable wake) {
    return watching.watch(collection, query, wake);
  }

  /**
   * Creates an object.
   *
   * @throws ApiException of reason AlreadyExists, Invalid, BadRequest, or NotFound for the
   *     namespace
   */
  public StoredObject create(Collection collection, ApiObject object, WriteOptions options) {
    ApiObject sent = DuplicateOwnerReferences.dedup(object, options.warnings());
    return creation.create(collection, NameChecks.inNamespace(collection, sent), options);
  }

  /**
   * Replaces an object, or creates it where the resource allows that.
   *
   * @throws ApiException of reason NotFound, Conflict, Invalid or BadRequest
   */
  public Written replace(
      Collection collection, String name, ApiObject object, WriteOptions options) {
    ApiObject sent = DuplicateOwnerReferences.dedup(object, options.warnings());
    ApiObject named = NameChecks.named(name, NameChecks.inNamespace(collection, sent));
    while (true) {
      Optional<StoredObject> updated = update(collection, name, ObjectPart.MAIN, named, options);
      if (updated.isPresent()) {
        return new Written(updated.get(), false);
      }
      try {
        return new Written(createByReplace(collection, name, named, options), true);
      } catch (ApiException e) {
        // another client has created it: update that one
        if (e.reason() != Reason.ALREADY_EXISTS) {
          throw e;
        }
      }
    }
  }

  private StoredObject createByReplace(
      Collection collection, String name, ApiObject named, WriteOptions options) {
    Preconditions.checkUid(collection, name, named.meta().uid(), "");
    if (!collection.definition().behaviour().createOnUpdate()) {
      creation.checkNamespace(collection, name);
      throw notFound(collection, name);
    }
    options.creation().run();
    ApiObject fresh = named.withMeta(named.meta().without("resourceVersion"));
    return creation.create(collection, fresh, options);
  }

  /**
   * Replaces the status of an object.
   *
   * @throws ApiException of reason NotFound, Conflict, Invalid or BadRequest
   */
  public StoredObject replaceStatus(
      Collection collection, String name, ApiObject object, WriteOptions options) {
    return replacePart(collection, ObjectPart.STATUS.subresource(), name, object, options);
  }

  /** The field manager. */
  public FieldManager fields() {
    return steps.fields();
  }

  /**
   * Patches an object, or creates it if the patch supports that. A patch without a resourceVersion
   * is retried on the newer state after a conflict.
   *
   * @throws ApiException of reason NotFound, Conflict, Invalid, BadRequest or RequestEntityTooLarge
   */
  public Written patch(
      Collection collection, String name, ObjectPatch patch, WriteOptions options) {
    while (true) {
      Optional<StoredObject> patched = change(collection, name, ObjectPart.MAIN, patch, options);
      if (patched.isPresent()) {
        return new Written(patched.get(), false);
      }
      ApiObject fresh = patch.whenMissing().orElseThrow(() -> notFound(collection, name));
      ApiObject named = NameChecks.patched(collection, name, fresh);
      options.creation().run();
      FieldManager fields = patch.recordsFields() ? FieldManager.NONE : steps.fields();
      try {
        return new Written(creation.create(collection, named, fields, options), true);
      } catch (ApiException e) {
        // another client has created it: patch that one
        if (e.reason() != Reason.ALREADY_EXISTS) {
          throw e;
        }
      }
    }
  }

  /**
   * Patches the status of an object.
   *
   * @throws ApiException as {@link #patch} does
   */
  public Written patchStatus(
      Collection collection, String name, ObjectPatch patch, WriteOptions options) {
    return patchPart(collection, ObjectPart.STATUS.subresource(), name, patch, options);
  }

  /**
   * Replaces the part of an object that a subresource exposes.
   *
   * @throws ApiException of reason NotFound, Conflict, Invalid or BadRequest
   */
  public StoredObject replacePart(
      Collection collection,
      String subresource,
      String name,
      ApiObject object,
      WriteOptions options) {
    ApiObject sent = DuplicateOwnerReferences.dedup(object, options.warnings());
    ApiObject named = NameChecks.named(name, NameChecks.inNamespace(collection, sent));
    return update(collection, name, ObjectPart.of(subresource), named, options)
        .orElseThrow(() -> missing(collection, name, named));
  }

  /**
   * Patches the part of an object that a subresource exposes.
   *
   * @throws ApiException as {@link #patch} does
   */
  public Written patchPart(
      Collection collection,
      String subresource,
      String name,
      ObjectPatch patch,
      WriteOptions options) {
    return new Written(
        change(collection, name, ObjectPart.of(subresource), patch, options)
            .orElseThrow(() -> notFound(collection, name)),
        false);
  }

  /**
   * Changes a part of an object in the stored version.
   *
   * @throws ApiException of reason NotFound, Conflict or Invalid, or what {@code edit} throws
   */
  public StoredObject edit(
      Collection collection,
      String name,
      ObjectPart part,
      UpdateFunction edit,
      WriteOptions options) {
    return replacement
        .update(collection, name, part, edit, options)
        .orElseThrow(() -> notFound(collection, name));
  }

  /** The object in the stored version, with its resourceVersion. */
  public ApiObject stored(StoredObject object) {
    ApiObject tree = tree(object);
    return object.revision() == 0
        ? tree
        : tree.withMeta(tree.meta().withText("resourceVersion", Long.toString(object.revision())));
  }

  /**
   * Deletes an object.
   *
   * @throws ApiException of reason NotFound or Conflict
   */
  public Deleted delete(
      Collection collection, String name, DeleteQuery query, WriteOptions options) {
    return deletion
        .delete(collection, name, query, options)
        .orElseThrow(() -> notFound(collection, name));
  }

  /**
   * Deletes every object that matches at the time of the call, or a chunk of them; an object that
   * another client deletes meanwhile is not an error.
   *
   * @param workers how many objects are deleted at the same time, at least 1
   * @return the objects as they were before
   * @throws ApiException the error of the first deletion that fails; other objects may have been
   *     deleted
   */
  public Listing deleteCollection(
      Collection collection,
      ListQuery query,
      ListPage page,
      DeleteQuery conditions,
      WriteOptions options,
      int workers) {
    return collectionDeletion.delete(collection, query, page, conditions, options, workers);
  }

  /**
   * Removes a finalizer from the spec of a namespace, and deletes the namespace if it is
   * terminating and has no other finalizers.
   *
   * @throws ApiException of reason NotFound or Conflict
   */
  public StoredObject finalizeNamespace(Collection namespaces, String name, String finalizer) {
    return edit(
        namespaces,
        name,
        ObjectPart.FINALIZERS,
        current -> {
          MapNode spec = current.root().map("spec");
          List<Node> left =
              spec.items("finalizers").stream()
                  .filter(item -> !item.equals(Node.text(finalizer)))
                  .toList();
          return current.with(
              "spec",
              left.isEmpty()
                  ? spec.without("finalizers")
                  : spec.with("finalizers", new Node.Items(left)));
        },
        WriteOptions.PERSIST);
  }

  /** The canonical tree of an object in the requested version, with its resourceVersion. */
  public ApiObject served(StoredObject stored) {
    ApiObject tree = tree(stored);
    ResourceDefinition definition = stored.definition();
    StoredType type = definition.storage();
    // objects that are not stored are already in the requested version
    ApiObject served = type == null ? tree : codec.convert(tree, type.kind(), definition.gvk());
    ApiObject whole =
        stored.revision() == 0
            ? served
            : served.withMeta(
                served.meta().withText("resourceVersion", Long.toString(stored.revision())));
    return codec.canonical(whole, definition);
  }

  /** The metadata of an object as it is stored, without its resourceVersion. */
  public ObjectMeta metadata(StoredObject stored) {
    ApiObject tree = stored.tree();
    return tree == null
        ? codec.metadata(new Collection(stored.definition(), "").type(), stored.value())
        : tree.meta();
  }

  private ApiObject tree(StoredObject stored) {
    ApiObject tree = stored.tree();
    return tree != null
        ? tree
        : codec.decode(new Collection(stored.definition(), "").type(), stored.value());
  }

  private Optional<StoredObject> update(
      Collection collection, String name, ObjectPart part, ApiObject object, WriteOptions options) {
    ApiObject stored = stored(collection, object);
    return replacement.update(collection, name, part, current -> stored, options);
  }

  private Optional<StoredObject> change(
      Collection collection,
      String name,
      ObjectPart part,
      ObjectPatch patch,
      WriteOptions options) {
    return replacement.update(
        collection,
        name,
        part,
        new UpdateFunction() {
          @Override
          public ApiObject apply(ApiObject current) {
            ApiObject wanted =
                patch.apply(
                    codec.convert(
                        current, collection.type().kind(), collection.definition().gvk()));
            return stored(collection, NameChecks.sameObject(collection, name, wanted, current));
          }

          @Override
          public boolean recordsFields() {
            return patch.recordsFields();
          }
        },
        options);
  }

  /** An input object with its defaults, in the stored version. */
  private ApiObject stored(Collection collection, ApiObject object) {
    ResourceDefinition definition = collection.definition();
    return codec.convert(
        steps.defaulting().complete(definition, object),
        definition.gvk(),
        collection.type().kind());
  }

  /**
   * The error of an update of an object that does not exist: NotFound, or Conflict if the update
   * names the uid of the object that it means, as kube-apiserver answers when that was deleted.
   */
  private ApiException missing(Collection collection, String name, ApiObject sent) {
    Preconditions.checkUid(collection, name, sent.meta().uid(), "");
    creation.checkNamespace(collection, name);
    return notFound(collection, name);
  }

  private static ApiException notFound(Collection collection, String name) {
    return ApiException.notFound(collection.definition().groupResource(), name);
  }
}
