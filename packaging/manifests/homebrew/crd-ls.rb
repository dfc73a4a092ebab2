class CrdLs < Formula
  desc "Language server and checker for Kubernetes CustomResourceDefinitions"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@DOWNLOADS@/crd-ls-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:crd-ls-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@DOWNLOADS@/crd-ls-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:crd-ls-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@DOWNLOADS@/crd-ls-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:crd-ls-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@DOWNLOADS@/crd-ls-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:crd-ls-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "crd-ls"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/crd-ls.bash" => "crd-ls"
    zsh_completion.install "completions/_crd-ls"
    fish_completion.install "completions/crd-ls.fish"
  end

  test do
    (testpath/"crd.yaml").write <<~YAML
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: widgets.example.com
    YAML
    assert_match "spec.group", shell_output("#{bin}/crd-ls check crd.yaml", 1)
  end
end
