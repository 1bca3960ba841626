package dev.keelson.cel.library;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.Message;
import dev.cel.common.CelContainer;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.values.CelValueProvider;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.cel.runtime.CelStandardFunctions;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Collects the implementations of an extension's functions: an extension hands them to the builder
 * of a runtime only. What is said to it of other things has no meaning without a runtime.
 */
final class BindingCollector implements CelRuntimeBuilder {

  private final List<CelFunctionBinding> bindings;

  BindingCollector(List<CelFunctionBinding> bindings) {
    this.bindings = bindings;
  }

  @Override
  public CelRuntimeBuilder addFunctionBindings(CelFunctionBinding... added) {
    bindings.addAll(Arrays.asList(added));
    return this;
  }

  @Override
  public CelRuntimeBuilder addFunctionBindings(Iterable<CelFunctionBinding> added) {
    added.forEach(bindings::add);
    return this;
  }

  @Override
  public CelRuntimeBuilder setOptions(CelOptions options) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addLateBoundFunctions(String... names) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addLateBoundFunctions(Iterable<String> names) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addMessageTypes(Descriptor... types) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addMessageTypes(Iterable<Descriptor> types) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addFileTypes(FileDescriptor... types) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addFileTypes(Iterable<FileDescriptor> types) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addFileTypes(FileDescriptorSet types) {
    return this;
  }

  @Override
  public CelRuntimeBuilder setTypeProvider(CelTypeProvider provider) {
    return this;
  }

  @Override
  public CelRuntimeBuilder setTypeFactory(Function<String, Message.Builder> factory) {
    return this;
  }

  @Override
  public CelRuntimeBuilder setValueProvider(CelValueProvider provider) {
    return this;
  }

  @Override
  public CelValueProvider valueProvider() {
    throw new UnsupportedOperationException("there is no runtime");
  }

  @Override
  public CelRuntimeBuilder setStandardEnvironmentEnabled(boolean enabled) {
    return this;
  }

  @Override
  public CelRuntimeBuilder setStandardFunctions(CelStandardFunctions functions) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addLibraries(CelRuntimeLibrary... libraries) {
    return this;
  }

  @Override
  public CelRuntimeBuilder addLibraries(Iterable<? extends CelRuntimeLibrary> libraries) {
    return this;
  }

  @Override
  public CelRuntimeBuilder setExtensionRegistry(ExtensionRegistry registry) {
    return this;
  }

  @Override
  public CelRuntimeBuilder setContainer(CelContainer container) {
    return this;
  }

  @Override
  public CelRuntime build() {
    throw new UnsupportedOperationException("there is no runtime");
  }
}
